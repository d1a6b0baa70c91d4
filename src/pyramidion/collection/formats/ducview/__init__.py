"""DUCView's pyramids and annotated peers: single files, and folders of them."""
