-- lint: allow drop since 0.0.9: no version that reads calibrations was released
DROP TABLE "calibrations";
