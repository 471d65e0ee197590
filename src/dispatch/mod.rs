//! View to mail: the document, events in words, templates, map pictures.
