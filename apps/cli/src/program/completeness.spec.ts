import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROUTES } from '@bearing/contracts/routes'
import { expect, it } from '@jest/globals'

/** Routes that are no use in a terminal, by the reason. */
const WITHOUT_COMMAND: Readonly<Record<string, readonly string[]>> = {
  'a browser signs in there, and asks for what it shows': [
    ...['startSession', 'findSignOn', 'beginSignOn', 'completeSignOn', 'logOutAtProvider', 'beginLink'],
    ...['challengePasskey', 'addPasskey'],
    ...['listSignInOptions', 'showLogin', 'allowLogin', 'denyLogin'],
    ...['showPartnerTeam', 'createPartnerOrganization', 'requestPartnerLink', 'showInvitation'],
  ],
  'every command does it, if it finds no other credential': ['exchangeToken'],
  'identity providers call it': [
    'showClientKeys',
    'listScim',
    'showScim',
    'createScim',
    'replaceScim',
    'patchScim',
    'deleteScim',
  ],
  'devices do that themselves': [
    ...[
      'commitBugreport',
      'commitDeviceBugreport',
      'commitMar',
      'commitDeviceMar',
      'commitRecording',
      'commitRecordingSingular',
    ],
    ...[
      'commitDeviceRecording',
      'receiveUpload',
      'geolocate',
      'geosubmit',
      'readDeviceConfig',
      'claimDevice',
    ],
    ...['findLatestRelease', 'findLatestReleaseUrl'],
    ...['legacyWifiLocation', 'legacyCellLocation', 'legacyGroundFix'],
  ],
}

it('everything that the gateway offers has a command, or a reason why it has none', async () => {
  const root = join(import.meta.dirname, '..')
  const files = await readdir(root, { recursive: true })
  const sources = await Promise.all(
    files
      .filter((file) => file.endsWith('.js') && !file.endsWith('.spec.js') && !file.startsWith('specs'))
      .map((file) => readFile(join(root, file), 'utf8')),
  )
  const isUsed = (name: string) => sources.some((source) => source.includes(`'${name}'`))
  const without = Object.values(WITHOUT_COMMAND).flat()
  expect(
    Object.keys(ROUTES)
      .filter((name) => !isUsed(name))
      .sort(),
  ).toEqual([...without].sort())
})
