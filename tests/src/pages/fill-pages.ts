import { randomBytes } from 'node:crypto'
import { DEVICE, type Matrix } from '../authorization/authorization-matrix.js'
import { commit, elfFile, prepare, put } from '../tools/uploading.js'
import { gateway } from '../tools/single-sign-on.js'

/** Creates one of each thing that pages list, so that every dialog can be opened. @returns the id of a webhook */
export async function fillPages({ own }: Matrix): Promise<string> {
  const { slug, project, token, admin } = own
  const address = { organization: slug, project: project.slug }
  await token.client.call('declareAttribute', { ...address, attribute: 'customer', type: 'string' })
  const target = {
    gateway: gateway(),
    project: `/api/v0/organizations/${slug}/projects/${project.slug}`,
    credential: token.credential,
  }
  for (const [path, bytes, more] of [
    ['coredumps', randomBytes(100), { device: { device_serial: DEVICE } }],
    ['symbols', elfFile(randomBytes(20)), {}],
  ] as const) {
    const prepared = await prepare(target, { size: bytes.length })
    await put(prepared, bytes)
    const committed = await commit(target, `${target.project}/${path}`, {
      ...{ file: { token: prepared.token, name: path } },
      ...more,
    })
    if (committed.status >= 300) throw new Error(`${path} was not committed: ${committed.text}`)
  }
  const webhook = await admin.client.call('createWebhook', {
    ...address,
    url: 'https://hooks.example.com/bearing',
  })
  return webhook.id
}
