import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A device as the vendor lists it. */
export interface VendorDevice {
  readonly device_serial: string
  readonly nickname?: string
  readonly attributes?: Readonly<Record<string, string | number | boolean | null>>
}

/** A project of the vendor. */
export interface VendorProject {
  readonly slug: string
  readonly name: string
  readonly api_key: string
  readonly devices: readonly VendorDevice[]
}

/** A running server with the public API of the vendor. */
export interface HostedVendor extends AsyncDisposable {
  readonly url: string
  readonly token: string
  /** Paths of all requests. */
  readonly requests: string[]
  /** Statuses that the next requests are refused with. */
  readonly refusals: number[]
}

/** Devices on a page, however many the client asks for. */
const PER_PAGE = 2

/**
 * Starts a server whose replies have the shape that the vendor documents: `data` with `paging`, devices with hardware version and
 * cohort, attributes with `custom_metric` and `state`, errors with `error`.
 */
export async function startHostedVendor(
  organization: string,
  projects: readonly VendorProject[],
): Promise<HostedVendor> {
  const vendor = { token: 'oat_0123456789', requests: [] as string[], refusals: [] as number[] }
  const root = `/api/v0/organizations/${organization}/projects`
  const answer = (path: string, page: number): unknown => {
    if (path === root)
      return pageOf(
        projects.map(({ slug, name }, id) => ({ id, slug, name })),
        page,
      )
    const [slug, noun, serial, attributes] = path.slice(root.length + 1).split('/')
    const project = projects.find((one) => one.slug === slug)
    if (!project) return undefined
    if (noun === 'api_key') return { data: { api_key: project.api_key } }
    if (noun !== 'devices') return undefined
    if (serial === undefined) return pageOf(project.devices.map(toDevice), page)
    const device = project.devices.find(({ device_serial }) => device_serial === decodeURIComponent(serial))
    if (!device || attributes !== 'attributes') return undefined
    return {
      data: Object.entries(device.attributes ?? {}).map(([string_key, value], id) => ({
        custom_metric: { id, string_key, display_name: string_key },
        state: { value, updated_date: '2026-01-31T09:00:00+00:00' },
      })),
    }
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://vendor')
    vendor.requests.push(request.url ?? '')
    const send = (status: number, body: unknown, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    const refusal = vendor.refusals.shift()
    if (refusal !== undefined) return send(refusal, errorOf(refusal, 'TryAgain'), { 'retry-after': '1' })
    if (request.headers.authorization !== `Bearer ${vendor.token}`)
      return send(401, errorOf(401, 'Unauthorized'))
    const found = answer(pathname, Number(searchParams.get('page') ?? 1))
    return found === undefined ? send(404, errorOf(404, 'NotFoundError')) : send(200, found)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ...vendor,
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function pageOf(all: readonly unknown[], page: number) {
  const data = all.slice((page - 1) * PER_PAGE, page * PER_PAGE)
  const page_count = Math.max(1, Math.ceil(all.length / PER_PAGE))
  return {
    data,
    paging: { item_count: data.length, page, page_count, per_page: PER_PAGE, total_count: all.length },
  }
}

function toDevice({ device_serial, nickname = '' }: VendorDevice, id: number) {
  return {
    ...{ id, device_serial, nickname, description: '', last_seen: null },
    hardware_version: { name: 'evt' },
    cohort: { id: 1, name: 'default', slug: 'default' },
    created_date: '2026-01-31T09:00:00.000000+00:00',
  }
}

function errorOf(http_code: number, type: string) {
  return { error: { code: 1_000, http_code, message: type, type } }
}
