-- What every column means: prisma/location/schema.prisma.

CREATE TABLE "suspect_messages" (
    "id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "begun_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "suspect_messages_pkey" PRIMARY KEY ("id")
);
