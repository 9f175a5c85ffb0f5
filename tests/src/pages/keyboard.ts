import type { Locator, Page } from 'playwright-core'
import { isFocused } from './in-page.js'

/** More than any page or dialog has. */
const MOST_STOPS = 80

/** Presses Tab until a control has the focus, as a person without a mouse does. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  // A button that waits for a reply is skipped by Tab.
  const element = await control.elementHandle()
  await element.waitForElementState('enabled')
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await control.evaluate(isFocused)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${String(control)}.`)
}

/** Reaches a button or a link by keyboard and presses it. */
export async function pressByKey(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
}

/** Reaches a field by keyboard and types into it. */
export async function typeByKey(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.type(text)
}

/** Signs in with a password, by keyboard, on the page that is shown. */
export async function signInByKey(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await typeByKey(page, page.getByLabel('Email address'), email)
  await page.keyboard.press('Enter')
  // Other suites verify the domain of test users for single sign-on: then the page offers that first.
  const field = page.getByLabel('Password')
  const usePassword = page.getByRole('button', { name: 'Use a password', exact: true })
  await field.or(usePassword).first().waitFor()
  if (await usePassword.isVisible()) await pressByKey(page, usePassword)
  await typeByKey(page, field, password)
  await page.keyboard.press('Enter')
}

/** Opens a select by keyboard and chooses an option. */
export async function chooseByKey(page: Page, select: Locator, option: string): Promise<void> {
  await pressByKey(page, select)
  const chosen = page.getByRole('option', { name: option })
  await chosen.waitFor()
  await page.keyboard.press('Home')
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await chosen.evaluate(isFocused)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

/** Opens the dialog of a field for files by keyboard, and chooses a file there. */
export async function attachByKey(
  page: Page,
  field: Locator,
  file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
): Promise<void> {
  // Waits first: the browser has to intercept the dialog before the key arrives.
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), pressByKey(page, field)])
  await chooser.setFiles(file)
}
