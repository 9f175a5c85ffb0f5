-- What every column means: prisma/location/schema.prisma.

CREATE TABLE "cells" (
    "radio" SMALLINT NOT NULL,
    "mcc" SMALLINT NOT NULL,
    "mnc" SMALLINT NOT NULL,
    "area" INTEGER NOT NULL,
    "cell" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "lat" DOUBLE PRECISION NOT NULL,
    "lon" DOUBLE PRECISION NOT NULL,
    "range" DOUBLE PRECISION NOT NULL,
    "samples" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "cells_pkey" PRIMARY KEY ("radio", "mcc", "mnc", "area", "cell", "organization_id"),
    CONSTRAINT "cells_radio_known" CHECK ("radio" BETWEEN 2 AND 5),
    CONSTRAINT "cells_identity_in_range" CHECK ("mcc" BETWEEN 1 AND 999 AND "mnc" BETWEEN 0 AND 999 AND "area" BETWEEN 0 AND 16777215 AND "cell" BETWEEN 0 AND 68719476735),
    -- Written so that NaN, which Postgres holds to be the largest number, is refused as well.
    CONSTRAINT "cells_position_on_earth" CHECK ("lat" BETWEEN -90 AND 90 AND "lon" BETWEEN -180 AND 180),
    CONSTRAINT "cells_range_finite" CHECK ("range" >= 0 AND "range" < 'Infinity'),
    CONSTRAINT "cells_samples_some" CHECK ("samples" >= 1)
);
