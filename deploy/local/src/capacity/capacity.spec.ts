import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { chartSettings } from '../chart-settings.js'
import { CONNECTIONS, capacityOf, type Need } from './capacity.js'
import { MEASURED } from './measured.js'
import { readFleet } from './read-fleet.js'
import { report } from './report.js'

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')
const page = readFileSync(join(CHECKOUT, 'docs', 'scaling.md'), 'utf8')

function need(args: readonly string[], part: Need['part']): Need {
  const found = capacityOf(readFleet(args)).needs.find((one) => one.part === part)
  if (!found) throw new Error(`there is no ${part}`)
  return found
}

describe('the calculator', () => {
  it('prints what docs/scaling.md shows', () => {
    const shown = /```\n\$ npx pnpm calculate ?([^\n]*)\n(.*?)\n```/s.exec(page)
    const fleet = readFleet((shown?.[1] ?? '').split(' ').filter((word) => word !== ''))
    expect(shown?.[2]).toBe(report(fleet, capacityOf(fleet)))
  })

  it('plans at least two processes of each, none of which uses more than half of a core', () => {
    for (const devices of ['0', '1000000', '20000000'])
      for (const { part, processes, cores } of capacityOf(readFleet(['--devices', devices])).needs) {
        expect(processes).toBeGreaterThanOrEqual(2)
        if (part !== 'nats' && part !== 'postgres') expect(cores / processes).toBeLessThanOrEqual(0.5)
      }
  })

  it('counts the connections that the chart counts', async () => {
    const settings = await chartSettings(CHECKOUT)
    for (const service of ['identity', 'management', 'location'] as const) {
      const pool = Number(settings[service].plain['DATABASE_POOL']?.default)
      expect(CONNECTIONS[service]).toBe(pool + settings[service].moreConnections)
    }
  })

  it('grows with the load, and with what is stored', () => {
    const [some, twice] = [
      need(['--chunks', '10000'], 'management'),
      need(['--chunks', '20000'], 'management'),
    ]
    expect(twice.cores).toBeCloseTo(2 * some.cores)
    const more = need(['--access-points', '1000000000'], 'postgres')
    expect(more.disk).toBeGreaterThan(need(['--access-points', '10000000'], 'postgres').disk + 3 * 150e9)
    expect(need(['--cached', '1'], 'postgres').cores).toBeLessThan(need([], 'postgres').cores)
  })

  it('names what is outgrown', () => {
    expect(capacityOf(readFleet([])).outgrown).toEqual([])
    const { outgrown } = capacityOf(readFleet(['--chunks', '9000', '--access-points', '1e9']))
    expect(outgrown.join()).toMatch(/stream of chunks.*access points/)
  })

  it.each([
    [['--devices', 'many']],
    [['--cached', '2']],
    [['--chunks', '-1']],
    [['--chunks', '']],
    [['--price', '1']],
  ])('refuses %j, and shows the options', (args) => {
    expect(() => readFleet(args)).toThrow(/--access-points/)
  })
})

describe('docs/scaling.md', () => {
  it('has every constant that the calculator uses', () => {
    const numbers = (part: unknown): number[] =>
      typeof part === 'number' ? [part] : Object.values(part as object).flatMap(numbers)
    const [, section = ''] = /## Constants\n(.*?)(?=\n## |$)/s.exec(page) ?? []
    const shown = new Set([...section.matchAll(/[\d,]+/g)].map(([text]) => Number(text.replaceAll(',', ''))))
    expect(
      numbers({ ...MEASURED, memory: {} }).filter((number) => number !== 0 && !shown.has(number)),
    ).toEqual([])
  })
})
