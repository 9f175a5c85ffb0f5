ALTER TABLE learned_access_points
    ADD COLUMN lat double precision,
    ADD COLUMN lon double precision,
    ADD COLUMN spread double precision,
    ADD COLUMN moves boolean;
