import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from '@jest/globals'
import MiniSearch, { type Options } from 'minisearch'
import { ROOT } from '../tools/root.js'

/** Exports of `apps/docs/searched.js` for the page and for this test. */
interface Searched {
  readonly OPTIONS: Options
  readonly find: (index: MiniSearch, question: string) => readonly { readonly url: string }[]
}

/** Questions as people ask them, and the pages that answer each. */
const QUESTIONS: readonly (readonly [string, ...string[]])[] = [
  ['how do I rotate a leaked org token', 'rotate-secrets'],
  ['how to run on EKS', 'kubernetes'],
  ['install helm chart', 'kubernetes'],
  ['GKE load balancer health check', 'kubernetes', 'reverse-proxies'],
  ['use RDS as database', 'scaling', 'kubernetes', 'operations'],
  ['does it run on Aurora or CloudNativePG', 'scaling'],
  ['how many devices can one machine serve', 'scaling', 'performance'],
  ['restore from a backup', 'backups'],
  ['restore a deleted project', 'erasure'],
  ['upgrade without downtime', 'upgrading'],
  ['roll back to the version before', 'upgrading'],
  ['Prometheus alerts', 'monitoring'],
  ['Grafana dashboard', 'monitoring'],
  ['set up Okta', 'single-sign-on'],
  ['Entra ID client secret', 'single-sign-on'],
  ['require single sign-on for everyone', 'single-sign-on'],
  ['nginx in front of the gateway', 'reverse-proxies'],
  ['where does TLS terminate', 'reverse-proxies', 'kubernetes', 'operations'],
  ['verify a webhook signature', 'webhooks'],
  ['redeliver failed webhooks', 'webhooks'],
  ['send chunks from an ESP32', 'connect-firmware', 'first-device'],
  ['nRF Connect SDK', 'connect-firmware'],
  ['locate a device with curl', 'locate-with-curl'],
  ['why is the radius so large', 'how-positions-are-found'],
  ['import WiGLE file', 'bringing-your-own-data'],
  ['delete all data of a person GDPR', 'erasure'],
  ['migrate from memfault', 'coming-from-the-hosted-service'],
  ['ichnaea replacement', 'coming-from-the-hosted-service', 'locate-with-curl', 'location'],
  ['403 project_key_required', 'errors/project_key_required'],
  ['what does 429 mean', 'limits', 'errors/rate_limited'],
  ['largest upload size', 'uploads', 'limits'],
  ['all environment variables', 'configuration'],
  ['call identity from Go over NATS', 'internal-services'],
  ['verify claims in Python', 'internal-services'],
  ['who changed the settings of my organization', 'audit-log', 'audit-actions'],
  ['prove that the audit log was not changed', 'audit-log'],
  ['what may a reader do', 'permissions'],
  ['NATS is down what happens to devices', 'consistency', 'troubleshooting', 'reliability'],
  ['dead letters', 'device-data', 'monitoring'],
  ['keep coredumps for 30 days', 'device-data', 'uploads', 'limits'],
]
const FIRST = 3
const ANSWERED = 36

it(`${ANSWERED} of ${QUESTIONS.length} questions find a page that answers them among the first three`, async () => {
  const { find, OPTIONS } = (await import(
    pathToFileURL(join(ROOT, 'apps', 'docs', 'searched.js')).href
  )) as Searched // as it exports them
  const [built = ''] = globSync('apps/docs/dist/pages/assets/search.json', { cwd: ROOT })
  const index = MiniSearch.loadJSON(readFileSync(join(ROOT, built), 'utf8'), OPTIONS)
  const unanswered = QUESTIONS.flatMap(([question, ...answers]) => {
    const pages = [...new Set(find(index, question).map(({ url }) => url.split('#')[0]))].slice(0, FIRST)
    return pages.some((page) => answers.some((answer) => page === `/docs/${answer}`))
      ? []
      : [{ question, pages }]
  })
  // More than these may not be unanswered.
  expect(unanswered.slice(QUESTIONS.length - ANSWERED)).toEqual([])
})
