// What the index of the search contains, for the build that writes it and for the page that asks it: both must cut words alike.

/** Short numbers and single letters occur on most pages and lead to none. */
const NOISE = /^(\d{1,2}|.)$/

/** Rotate, rotates, rotated and rotating are the same word. */
const ENDING = /(?<=^.{3,})(ing|ed|es|s|e)$/

export const OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['shown', 'page', 'isPage', 'url', 'group', 'start'],
  processTerm: (term) => (NOISE.test(term) ? null : term.toLowerCase().replace(ENDING, '')),
}

/** Decisions and error codes say much about everything: they come after what readers look for more often. */
const WEIGHTS = { Decisions: 0.3, Errors: 0.5 }

export const SEARCH = {
  boost: { title: 4, page: 1.5 },
  prefix: true,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  combineWith: 'AND',
  boostDocument: (_id, _term, { group, isPage }) => (WEIGHTS[group] ?? 1) * (isPage ? 1.5 : 1),
}
