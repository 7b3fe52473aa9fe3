"""The demo source: a small server that behaves like the sites our users fight with."""
