import { expect, it } from '@jest/globals'
import type { showCalibration } from '@bearing/contracts/location/calibration'
import type { Output } from '@bearing/contracts/operation'
import { fakeGateway } from '../specs/fake-gateway.js'
import { runCli } from '../specs/run-cli.js'

type Calibration = Output<typeof showCalibration>

const OWN: Calibration = {
  source: 'own',
  fitted_at: '2026-03-01T12:00:00.000Z',
  scans: 1_400,
  outcomes: 1_350,
  needed: 200,
  held: { usual: { p68: 0.41, p95: 0.7 }, own: { p68: 0.675, p95: 0.949 } },
}

async function showing(calibration: Calibration, ...args: string[]) {
  await using gateway = await fakeGateway({ showCalibration: () => calibration })
  const environment = { BEARING_URL: gateway.url, BEARING_ORG_TOKEN: 'T', BEARING_ORG: 'acme' }
  return await runCli(['location', 'calibration', ...args], { environment })
}

it('what radii are computed with is shown, and how often they hold', async () => {
  const { code, stdout } = await showing(OWN)
  expect(code).toBe(0)
  expect(stdout).toMatch(/usual +no +41\.0 % +70\.0 %/)
  expect(stdout).toMatch(/fitted to the organization's scans +yes +67\.5 % +94\.9 %/)
  expect(stdout).toContain('1,350 of 1,400 scans')
  expect(JSON.parse((await showing(OWN, '--json')).stdout)).toEqual(OWN)
})

it('what is not known yet is said so', async () => {
  const none: Calibration = {
    source: 'usual',
    fitted_at: null,
    scans: 0,
    outcomes: 0,
    needed: 200,
    held: null,
  }
  expect((await showing(none)).stdout).toMatch(/usual +yes +– +–[^]*needs 200 scans/)
})
