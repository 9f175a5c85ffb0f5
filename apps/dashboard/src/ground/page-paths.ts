/** Paths of all pages below `/app`. The table of pages fills it: pages that link to each other cannot import that table. */
export const PAGE_PATHS = new Set<string>()
