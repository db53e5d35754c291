"""The bundled studies: data only."""
