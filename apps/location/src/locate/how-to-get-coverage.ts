/** The advice of every error for a position that is not known. */
export const HOW_TO_GET_COVERAGE =
  'To get coverage, contribute scans, import access points, or set a location fallback: /docs/location.'
