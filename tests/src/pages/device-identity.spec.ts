import 'reflect-metadata'
import { generateKeyPairSync } from 'node:crypto'
import { deviceCaCode } from '@bearing/contracts/identity/devices/device-ca'
import { newCa, verificationFor } from '@bearing/testing/certificates'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, expect, it } from '@jest/globals'
import { SignJWT } from 'jose'
import { send } from '../tools/http.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectSoundInBoth } from './expect-sound.js'
import { chooseByKey } from './keyboard.js'

const SERIAL = 'DEVICE-0001'

describeInBrowser('the identity of devices', (visit) => {
  const organization = forSuite(() => newOrganization())
  const project = () => `/app/o/${organization.slug}/p/${organization.project.slug}`
  const at = () => ({ organization: organization.slug, project: organization.project.slug })

  beforeAll(async () => {
    await organization.admin.client.call('registerDevice', { ...at(), device_serial: SERIAL })
  })

  it('is registered and revoked on the page of the device', async () => {
    const { visitor, page } = await visit(organization.admin, `${project()}/devices/${SERIAL}`)
    await page.getByText('No keys.').waitFor()
    await page.getByRole('button', { name: 'Register a key …' }).click()
    const dialog = page.getByRole('dialog')
    const { publicKey } = generateKeyPairSync('ed25519')
    await dialog
      .getByLabel('Public key or certificate (PEM)')
      .fill(publicKey.export({ type: 'spki', format: 'pem' }).toString())
    await expectSoundInBoth(visitor, 'the dialog of a device key')
    await dialog.getByRole('button', { name: 'Register', exact: true }).click()
    await page.getByRole('rowheader', { name: /EdDSA/ }).waitFor()
    const keys = () => organization.admin.client.call('listDeviceKeys', { ...at(), device_serial: SERIAL })
    expect((await keys()).data).toHaveLength(1)
    await page.getByRole('button', { name: 'Revoke …' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('No keys.').waitFor()
    expect((await keys()).data).toEqual([])
  })

  it('is required on the page of onboarding, which says how many devices would be refused', async () => {
    const { page } = await visit(organization.admin, `${project()}/settings/onboarding`)
    await page.getByRole('heading', { name: 'Device identity' }).waitFor()
    const policy = page.getByRole('button', { name: /Policy/ })
    await chooseByKey(page, policy, 'Required: the project key alone is refused')
    await page.getByText('did not prove who they are and would be refused').waitFor()
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Device identity' }) })
    await card.getByRole('button', { name: 'Save', exact: true }).click()
    await eventually(async () => {
      const settings = await organization.admin.client.call('showProjectSettings', at())
      expect(settings.device_identity).toBe('required')
    })
  })

  it('waits for approval on the page of onboarding, or comes with a token that is shown once, with a QR code', async () => {
    const { client } = organization.admin
    await client.call('changeProjectSettings', {
      ...{ ...at(), project_key_may_locate: false, device_claims: 'approval' },
    })
    const device = { serial: 'DEVICE-0002', ...generateKeyPairSync('ed25519') }
    const url = testStack().gatewayUrls[0] ?? ''
    const { status } = await send(url, 'POST', '/api/v0/device-claims', {
      headers: { 'service-project-key': organization.project.key },
      body: {
        device_serial: device.serial,
        public_key: device.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        proof: await new SignJWT({ sub: device.serial, aud: `claim:${organization.project.key}` })
          .setProtectedHeader({ alg: 'EdDSA' })
          .setExpirationTime('1h')
          .sign(device.privateKey),
      },
    })
    expect(status).toBe(200)
    const { visitor, page } = await visit(organization.admin, `${project()}/settings/onboarding`)
    await page.getByRole('rowheader', { name: device.serial }).waitFor()
    await expectSoundInBoth(visitor, 'the page of onboarding')
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('No claim waits.').waitFor()
    const keys = await client.call('listDeviceKeys', { ...at(), device_serial: device.serial })
    expect(keys.data).toHaveLength(1)
    await page.getByRole('button', { name: 'Create an onboarding token …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Line 3')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByRole('img', { name: 'QR code of the onboarding token' }).waitFor()
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('rowheader', { name: 'Line 3' }).waitFor()
  })

  it('comes with certificates of a CA that is registered on the page of onboarding, and deleted there', async () => {
    const ca = await newCa('CN=Factory')
    const verification = await verificationFor(ca, organization.project.id)
    const { visitor, page } = await visit(organization.admin, `${project()}/settings/onboarding`)
    await page.getByRole('button', { name: 'Register a CA certificate …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(deviceCaCode(organization.project.id)).waitFor()
    await dialog.getByLabel('CA certificate (PEM)').fill(ca.pem)
    await dialog.getByLabel('Verification certificate (PEM)').fill(verification)
    await expectSoundInBoth(visitor, 'the dialog of a CA certificate')
    await dialog.getByRole('button', { name: 'Register', exact: true }).click()
    await page.getByRole('rowheader', { name: 'CN=Factory' }).waitFor()
    await page.getByRole('button', { name: 'Accept new devices' }).click()
    await page.getByText('register themselves').waitFor()
    const heading = page.getByRole('heading', { name: 'Certificate authorities' })
    const table = page.locator('section', { has: heading })
    await table.getByRole('button', { name: 'Delete …' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No CA certificates.').waitFor()
    const { data } = await organization.admin.client.call('listDeviceCas', at())
    expect(data).toEqual([])
  })
})
