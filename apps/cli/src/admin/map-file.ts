import { copyFile, open, rename, rm, stat } from 'node:fs/promises'
import { verb } from '../session/verb.js'
import { size } from '../ground/output/format.js'
import { UsageError } from '../ground/usage-error.js'
import { required } from '../ground/arguments.js'

/** The header of a PMTiles file, version 3. */
const HEADER_BYTES = 127
const TILE_TYPES = ['unknown', 'vector', 'PNG', 'JPEG', 'WebP', 'AVIF']

verb('admin map set', {
  about: 'put a PMTiles file where the gateways serve it; for operators, on their machine',
  takes: {
    '<file>': 'a PMTiles file, version 3',
    '--to <path>': required('the path in the setting MAP_URL of the gateways'),
  },
  help: `Gateways serve the new file immediately, without a restart. Every gateway needs it: a shared volume, or the same command on each
machine. "pmtiles extract" cuts an area out of a planet: /docs/streets.`,
  examples: ['berlin.pmtiles --to /var/lib/bearing/map.pmtiles'],
  run: async (cli, { file, to }) => {
    const map = await readHeader(file)
    const next = `${to}.next`
    try {
      await copyFile(file, next)
      // Readers have the old file or the new one, never a part.
      await rename(next, to)
    } catch (cause) {
      await rm(next, { force: true })
      throw new UsageError(
        `The map cannot be written to ${to}: ${cause instanceof Error ? cause.message : 'unknown error'}`,
        'Give the path in the setting MAP_URL, in a folder that exists.',
      )
    }
    cli.output.done('Map set.')
    cli.output.record(
      {
        ...{ File: to, Size: size(map.bytes), Tiles: map.tiles, Area: map.area.join(', ') },
        Zoom: `0 to ${String(map.max_zoom)}`,
      },
      { path: to, ...map },
    )
  },
})

/** @throws UsageError if the file is none */
async function readHeader(file: string) {
  const header = Buffer.alloc(HEADER_BYTES)
  try {
    await using opened = await open(file)
    await opened.read(header, 0, HEADER_BYTES, 0)
  } catch (cause) {
    throw new UsageError(
      `${file} cannot be read: ${cause instanceof Error ? cause.message : 'unknown error'}`,
    )
  }
  if (header.toString('latin1', 0, 7) !== 'PMTiles' || header[7] !== 3)
    throw new UsageError(
      `${file} is not a PMTiles file of version 3.`,
      'See /docs/streets for how to make one.',
    )
  return {
    bytes: (await stat(file)).size,
    tiles: TILE_TYPES[header[99] ?? 0] ?? 'unknown',
    max_zoom: header[101] ?? 0,
    /** West, south, east, north, in degrees. */
    area: [102, 106, 110, 114].map((at) => header.readInt32LE(at) / 1e7),
  }
}
