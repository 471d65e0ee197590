//! What a game is: map, pieces, tables, forms, sequence, loaded from YAML.
