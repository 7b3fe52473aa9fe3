# ruff: noqa: E501 (a line of HTML is as long as it is)
"""Forms that no crawl may submit: each submission is recorded as a violation and answered as a site would."""

from __future__ import annotations

from html import escape

from hometextile.demo.call import Call, Reply
from hometextile.demo.skins import portal

FORMS = {
    "/user/login": "login",
    "/user/register": "registration",
    "/user/forgot": "password recovery",
    "/user/upload": "upload",
    "/user/subscribe": "subscription",
    "/user/comment": "comment",
    "/user/order": "order",
    "/user/vote": "vote",
}
"""Where the forms are sent, and what they are."""

_LOGIN = """<h1>会员登录</h1><form class="account" method="post" action="/user/login">
<p><label for="u">用户名</label><input id="u" name="username" type="text"></p>
<p><label for="p">密码</label><input id="p" name="password" type="password"></p>
<p><label><input type="checkbox" name="keep" value="1">两周内自动登录</label></p>
<p><input type="submit" value="登 录"> <a href="/user/register">免费注册</a> <a href="/user/forgot">忘记密码</a></p></form>"""

_REGISTER = """<h1>新会员注册</h1><form class="account" method="post" action="/user/register">
<p><label for="u">用户名</label><input id="u" name="username" type="text"></p>
<p><label for="e">电子邮箱</label><input id="e" name="email" type="email"></p>
<p><label for="p">设置密码</label><input id="p" name="password" type="password"></p>
<p><label for="q">确认密码</label><input id="q" name="password2" type="password"></p>
<p>经营类型 <select name="trade"><option>床品</option><option>窗帘布艺</option><option>毛巾</option></select></p>
<p><label><input type="checkbox" name="agree" value="1">我已阅读并同意会员协议</label></p>
<p><input type="submit" value="立即注册"></p></form>"""

_FORGOT = """<h1>找回密码</h1><form class="account" method="post" action="/user/forgot">
<p><label for="e">请输入注册时填写的邮箱</label><input id="e" name="email" type="text"></p>
<p><input type="submit" value="发送重置邮件"></p></form>"""

_UPLOAD = """<h1>上传花型</h1><form class="account" method="post" action="/user/upload" enctype="multipart/form-data">
<p><label for="t">花型名称</label><input id="t" name="title" type="text"></p>
<p><label for="f">选择文件</label><input id="f" name="file" type="file"></p>
<p><input type="submit" value="开始上传"></p></form>"""

_PAGES = {
    "/user/login": ("会员登录", _LOGIN),
    "/user/register": ("新会员注册", _REGISTER),
    "/user/forgot": ("找回密码", _FORGOT),
    "/user/upload": ("上传花型", _UPLOAD),
}


def reply(call: Call) -> Reply | None:
    """The account pages; None for other addresses."""
    what = FORMS.get(call.path)
    if what is None:
        return None
    if call.method != "GET" or call.raw_query:
        call.site.violate(what, call)
        main = f"<h1>提交成功</h1><p>您的请求已受理，请返回<a href='/'>首页</a>。({escape(what)})</p>"
        return Reply(portal.page("提交成功", main))
    if call.path not in _PAGES:
        return Reply(portal.page("请返回", "<p>请从页面上的表单提交。</p>"), status=405)
    title, main = _PAGES[call.path]
    return Reply(portal.page(title, main))
