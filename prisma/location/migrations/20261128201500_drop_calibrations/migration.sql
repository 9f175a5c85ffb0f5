DROP TABLE "calibrations";
