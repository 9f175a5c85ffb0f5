import { readFile, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { startStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { MAGENTA, pmtilesOf } from '../pages/map-files.js'
import { runBearing } from '../tools/bearing.js'
import { send } from '../tools/http.js'

const MEBIBYTE = 1_024 ** 2

describe('the map file of a gateway', () => {
  const folder = folderForSuite()
  const stack = forSuite(() =>
    startStack({
      services: [],
      gateways: 1,
      environment: { gateway: { MAP_URL: pathToFileURL(join(folder, 'map.pmtiles')).href } },
    }),
  )
  const get = (path: string, headers: Record<string, string> = {}) =>
    send(stack.gatewayUrls[0] ?? '', 'GET', path, { headers })
  const memory = async () =>
    Number(/^process_resident_memory_bytes (\S+)$/m.exec(await stack.metrics('gateway-1'))?.[1])
  const configured = async () => (await get('/app/config.json')).json as { readonly map_url: string }

  it('is served in ranges, without a restart, from when the command line has put it there', async () => {
    expect((await configured()).map_url).toBe('')
    expect(await get('/map.pmtiles', { range: 'bytes=0-9' })).toMatchObject({ status: 404 })

    const [source, target] = [join(folder, 'town.pmtiles'), join(folder, 'map.pmtiles')]
    const map = pmtilesOf('png', MAGENTA)
    await writeFile(source, map)
    const set = await runBearing(['admin', 'map', 'set', source, '--to', target, '--json'], {})
    expect(JSON.parse(set.stdout)).toMatchObject({ path: target, bytes: map.length, tiles: 'PNG' })

    expect((await configured()).map_url).toBe('/map.pmtiles')
    const part = await get('/map.pmtiles', { range: 'bytes=0-6' })
    expect([part.status, part.text]).toEqual([206, 'PMTiles'])
    expect(part.headers.get('content-range')).toBe(`bytes 0-6/${String(map.length)}`)
    expect(part.headers.get('etag')).toMatch(/^".+"$/)
    // The library asks for 16 KiB first, whatever the size of the file is.
    const first = await get('/map.pmtiles', { range: 'bytes=0-16383' })
    expect(first.headers.get('content-length')).toBe(String(map.length))
  })

  it('takes no memory for the length of a range, also from clients that do not read it', async () => {
    // 1 GiB without a byte on the disk.
    const file = join(folder, 'map.pmtiles')
    const kept = await readFile(file)
    await truncate(file, 2 ** 30)
    const headers = { range: 'bytes=0-1073741823' }
    const one = await fetch(`${stack.gatewayUrls[0] ?? ''}/map.pmtiles`, { headers })
    expect([one.status, one.headers.get('content-length')]).toEqual([206, String(2 ** 30)])
    await one.body?.cancel()
    const before = await memory()
    const sockets = Array.from({ length: 32 }, () => {
      const { hostname, port } = new URL(stack.gatewayUrls[0] ?? '')
      const socket = connect(Number(port), hostname)
      socket.pause().write('GET /map.pmtiles HTTP/1.1\r\nHost: x\r\nRange: bytes=0-1073741823\r\n\r\n')
      return socket
    })
    await sleep(2_000)
    const after = await memory()
    for (const socket of sockets) socket.destroy()
    await writeFile(file, kept)
    expect(after - before).toBeLessThan(128 * MEBIBYTE)
  })

  it.each([undefined, 'bytes=5-2', 'bytes=-5', 'bytes=0-1,3-4', 'bytes=999999999-999999999', 'lines=0-1'])(
    'is not served for the range %s',
    async (range) => {
      expect(await get('/map.pmtiles', range === undefined ? {} : { range })).toMatchObject({ status: 416 })
    },
  )

  it('is refused by the command line if it is none, and the old one stays', async () => {
    const other = join(folder, 'other.pmtiles')
    await writeFile(other, 'no map')
    const refused = await runBearing(['admin', 'map', 'set', other, '--to', join(folder, 'map.pmtiles')], {})
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('is not a PMTiles file')
    expect((await get('/map.pmtiles', { range: 'bytes=0-6' })).text).toBe('PMTiles')
  })
})
