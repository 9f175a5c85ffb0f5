import { expect } from '@jest/globals'
import { eventually } from '@bearing/testing/eventually'
import type { TestOrganization, TestProject } from '@bearing/testing/factories'

/** Devices of one request. */
const PER_REQUEST = 500

/** Registers devices with serial numbers that count up: FLEET-00001 and on. */
export async function registerFleet(
  { slug, token }: TestOrganization,
  project: Pick<TestProject, 'slug'>,
  count: number,
): Promise<void> {
  const serials = Array.from({ length: count }, (_, index) => `FLEET-${String(index + 1).padStart(5, '0')}`)
  for (let from = 0; from < count; from += PER_REQUEST)
    await token.client.call('importDevices', {
      organization: slug,
      project: project.slug,
      devices: serials.slice(from, from + PER_REQUEST).map((device_serial) => ({ device_serial })),
    })
}

/** Sends chunks as a device does, and waits until they are listed. */
export async function sendChunks(
  gateway: string,
  { slug, token }: TestOrganization,
  project: Pick<TestProject, 'slug' | 'key'>,
  device_serial: string,
  bodies: readonly string[],
): Promise<void> {
  for (const body of bodies) {
    const reply = await fetch(`${gateway}/api/v0/chunks/${device_serial}?software_version=1.4.2`, {
      method: 'POST',
      headers: { 'service-project-key': project.key, 'content-type': 'application/octet-stream' },
      body,
    })
    expect(reply.status).toBe(202)
  }
  await eventually(async () => {
    const listed = await token.client.call('listChunks', {
      ...{ organization: slug, project: project.slug, device_serial },
    })
    expect(listed.paging.total_count).toBeGreaterThanOrEqual(bodies.length)
  })
}
