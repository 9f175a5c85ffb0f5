ALTER TABLE calibrations ADD COLUMN radius68 double precision[], ADD COLUMN radius95 double precision[];
