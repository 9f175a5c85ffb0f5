import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROUTES } from '@bearing/contracts/routes'
import { expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

const SOURCES = join(ROOT, 'apps', 'dashboard', 'src')

/** Operations of the API that the dashboard does not call on purpose, by the reason. */
const NOT_IN_THE_DASHBOARD: Readonly<Record<string, readonly string[]>> = {
  'a browser is redirected there, or it is of a command line that signs in': [
    ...[
      'findSignOn',
      'beginSignOn',
      'completeSignOn',
      'logOutAtProvider',
      'requestLogin',
      'exchangeLogin',
      'showSession',
    ],
  ],
  'devices do that themselves, or programs for them': [
    ...['readDeviceConfig', 'claimDevice', 'findLatestRelease', 'findLatestReleaseUrl', 'sendChunks'],
    ...['prepareDeviceUpload', 'receiveUpload', 'commitDeviceCoredump', 'commitDeviceElfCoredump'],
    ...['commitDeviceBugreport', 'commitDeviceMar', 'commitDeviceRecording', 'commitRecordingSingular'],
    ...['resolveWifiLocation', 'resolveWifiBatch', 'resolveCellLocation', 'resolveGroundFix'],
    ...['legacyWifiLocation', 'legacyCellLocation', 'legacyGroundFix', 'geolocate'],
    ...['submitObservations', 'geosubmit', 'findObservations'],
  ],
  'the page has it from a list that it reads anyway': [
    ...['showOrganization', 'showProject', 'showProjectDeletion', 'showDevicePosition'],
  ],
  'programs read the data of all devices with it; pages show it by device': ['readData'],
  'a link downloads it: it has the address, and calls nothing': ['downloadFile', 'readChunk'],
  'streams of any length, which the command line writes to a file; pages show the command': [
    ...['exportAccessPoints', 'exportCells', 'exportObservations'],
  ],
  'a file of keys comes from a production line, with the command line; the page of a device registers one': [
    'importDeviceKeys',
  ],
  'a program that has a token derives weaker ones from it; people create tokens': ['deriveOrganizationToken'],
  'workloads exchange their tokens; the page of trusts says whose': ['exchangeToken'],
  'an auditor keeps what it returns outside of Bearing, with the command line': ['listAuditCheckpoints'],
  'identity providers call it': [
    'listScim',
    'showClientKeys',
    'showScim',
    'createScim',
    'replaceScim',
    'patchScim',
    'deleteScim',
  ],
  'for a move from another service, once, with a file of secrets that should not pass through a browser': [
    ...['importLegacyTokens', 'deleteLegacyToken'],
  ],
}

it('every operation that the API offers is possible in the dashboard, or listed here with a reason', () => {
  const sources = globSync('**/*.{ts,tsx}', { cwd: SOURCES }).map((file) =>
    readFileSync(join(SOURCES, file), 'utf8'),
  )
  const isCalled = (name: string) => sources.some((source) => source.includes(`'${name}'`))
  const missing = Object.keys(ROUTES).filter((name) => !isCalled(name))
  expect(missing.sort()).toEqual(Object.values(NOT_IN_THE_DASHBOARD).flat().sort())
})
