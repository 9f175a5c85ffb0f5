// Contents and queries of the search index, for the build that writes it, for the page and for its test: all must
// cut words alike.

/** Short numbers and single letters occur on most pages and lead to none. */
const NOISE = /^(\d{1,2}|.)$/

/** Words of questions. They occur everywhere, so that a page without them is no worse an answer. */
const STOP_WORDS = new Set(
  'an and any are at be been by can cannot could do does doesn don for from get gets give has have how if in into is it its make me mean means much my no not of on or our run should so that the their them then there they this to use using want we what when where which who was were did why will with work works would you your'.split(
    ' ',
  ),
)

/** Rotate, rotates, rotated and rotating are the same word. */
const ENDING = /(?<=^.{3,})(ing|ed|es|s|e)$/

/** Names of products and habits, and the words of these pages for them. */
const SYNONYMS = {
  eks: 'kubernetes',
  gke: 'kubernetes',
  aks: 'kubernetes',
  k8s: 'kubernetes',
  openshift: 'kubernetes',
  helm: 'chart',
  docker: 'compose',
  podman: 'compose',
  rds: 'postgres',
  aurora: 'postgres',
  alloydb: 'postgres',
  postgresql: 'postgres',
  database: 'postgres',
  entra: 'provider',
  okta: 'provider',
  sso: 'sign-on',
  oidc: 'sign-on',
  saml: 'sign-on',
  login: 'sign',
  mfa: 'factor',
  '2fa': 'factor',
  otp: 'factor',
  siem: 'audit',
  gdpr: 'personal',
  dsgvo: 'personal',
  grafana: 'dashboards',
  prometheus: 'metrics',
  alerting: 'alerts',
  restore: 'backup',
  disaster: 'backup',
  stolen: 'leaked',
  leak: 'leaked',
  compromised: 'leaked',
  revoke: 'leaked',
  gps: 'position',
  geolocation: 'position',
  firmware: 'connect',
  quota: 'limits',
  throttling: 'limits',
  429: 'limits',
  memfault: 'hosted',
  migrate: 'hosted',
  ichnaea: 'geolocate',
  nrf: 'hosted',
  iac: 'terraform',
  opentofu: 'terraform',
  macos: 'compose',
  windows: 'compose',
  tls: 'proxy',
  https: 'proxy',
  ingress: 'proxy',
  nginx: 'proxy',
}

/** Word as the index has it, or null if it leads nowhere. */
function processTerm(term) {
  const word = term.toLowerCase()
  return NOISE.test(word) || STOP_WORDS.has(word) ? null : word.replace(ENDING, '')
}

export const OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['shown', 'page', 'isPage', 'url', 'group', 'start'],
  processTerm,
}

/** A search is for something to do: guides come before lists, and what says much about everything comes last. */
const WEIGHTS = { Reference: 0.5, Explanation: 0.7, Decisions: 0.2, Errors: 0.4, API: 0.4 }
/** Pages that list everything, and so have every word. */
const LISTS = /^(command-line-reference|http-routes|nats-operations)#/
const LIST_WEIGHT = 0.2

const SEARCH = {
  boost: { title: 4, page: 1.5 },
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  boostDocument: (id, _term, { group, isPage }) =>
    (LISTS.test(id) ? LIST_WEIGHT : (WEIGHTS[group] ?? 1)) * (isPage ? 2 : 1),
}

/**
 * Returns what answers a question or has all words of a search, best first: sections of pages, and whole pages; after those that have
 * all words, those that have some.
 *
 * @param index MiniSearch with {@link OPTIONS}
 */
export function find(index, question) {
  const words = question.split(/[\s?!,;:()"“”]+/).filter((word) => processTerm(word) !== null)
  if (words.length === 0) return []
  const queries = words.map((word) => {
    const other = SYNONYMS[word.toLowerCase()]
    return other === undefined ? word : { combineWith: 'OR', queries: [word, other] }
  })
  const all = index.search({ combineWith: 'AND', queries }, SEARCH)
  const ids = new Set(all.map(({ id }) => id))
  const most = index.search({ combineWith: 'OR', queries }, SEARCH).filter(({ id }) => !ids.has(id))
  return [...all, ...most]
}
