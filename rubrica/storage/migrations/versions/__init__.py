"""The database's steps from version to version. A step that has been released is never changed."""
