-- The index of the migration before begins with its columns.
DROP INDEX files_project_id_device_serial_idx;
