/** The advice of every error for a position that is not known. */
export const HOW_TO_GET_COVERAGE =
  'To get coverage, contribute scans or import access points (/docs/bringing-your-own-data), or set a location fallback.'
