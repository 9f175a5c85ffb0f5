import { setTimeout as sleep } from 'node:timers/promises'
import { formatMacAddress } from '@bearing/contracts/location/mac-address'
import type { TestOrganization } from '@bearing/testing/factories'
import type { TrueScan } from '../location-accuracy/scan-set.js'

/** Observations of one submission: below its largest body. */
const SUBMISSION = 150
const LEARNED_MS = 300_000

/**
 * Has an organization contribute scans as somebody does who has nothing but places and signals, and waits until all of them
 * are learned from.
 *
 * @throws where that takes longer than five minutes
 */
export async function contribute({ slug, project, token }: TestOrganization, scans: readonly TrueScan[]) {
  const scope = { organization: slug, project: project.slug }
  const items = scans
    .filter(({ accessPoints }) => accessPoints.length > 0)
    .map(({ lat, lon, accessPoints }, index) => ({
      id: String(index),
      position: { latitude: lat, longitude: lon },
      wifiAccessPoints: sentFrom(accessPoints),
    }))
  for (let at = 0; at < items.length; at += SUBMISSION)
    await token.client.call('submitObservations', { ...scope, items: items.slice(at, at + SUBMISSION) })
  // Each submission is learned from as a whole.
  const ids = items.filter((_, index) => index % SUBMISSION === 0).map(({ id }) => id)
  const deadline = Date.now() + LEARNED_MS
  while (!(await token.client.call('findObservations', { ...scope, ids })).known.every((one) => one)) {
    if (Date.now() > deadline) throw new Error('the scans were not learned from in time')
    await sleep(500)
  }
}

/** What is sent of access points. */
export function sentFrom(accessPoints: TrueScan['accessPoints']) {
  return accessPoints.map(({ bssid, signalDbm }) => ({
    macAddress: formatMacAddress(bssid),
    signalStrength: signalDbm,
  }))
}
