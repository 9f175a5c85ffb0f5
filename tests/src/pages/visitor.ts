import { testStack } from '@bearing/testing/stack'
import { twoFrames } from './in-page.js'
import type { TestUser } from '@bearing/testing/factories'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'

/**
 * Time that a visitor waits for a state of a page, in milliseconds: far longer than a busy machine takes, and shorter than a test may
 * take, so that the error names the state that did not come.
 */
const PATIENCE_MS = 120_000
/** Interval at which a visitor checks for open requests, in milliseconds. */
const POLL_MS = 20

/** Color scheme and size of the window of a visitor. */
export interface Look {
  readonly scheme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
}

/** A person at a browser of their own: nothing is shared with other visitors. */
export class Visitor {
  /** Complaints of the console and the browser, violations of the security policy among them. */
  readonly complaints: string[] = []
  /** Everything that was written to the console of the browser. */
  readonly said: string[] = []
  /** Every URL that the browser has requested. */
  readonly urls: string[] = []
  /** Requests without a reply yet. */
  private readonly pending = new Set<Request>()

  private constructor(
    readonly gateway: string,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async arrive(
    browser: Browser,
    { scheme = 'light', width = 1280, height = 900 }: Look = {},
    gateway = testStack().gatewayUrls[0] ?? '',
  ): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: gateway,
      colorScheme: scheme,
      viewport: { width, height },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    const visitor = new Visitor(gateway, context, page)
    visitor.listen(page)
    return visitor
  }

  /** Signs in with address and password on the sign-in page. */
  async signIn({ email, password }: Pick<TestUser, 'email' | 'password'>, returnTo = '/app'): Promise<void> {
    const { page } = this
    await page.goto(`/sign-in?return_to=${encodeURIComponent(returnTo)}`)
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    // Other suites verify the domain of test users for single sign-on: then the page offers that first.
    const field = page.getByLabel('Password')
    const usePassword = page.getByRole('button', { name: 'Use a password', exact: true })
    await field.or(usePassword).first().waitFor()
    if (await usePassword.isVisible()) await usePassword.click()
    await field.fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** Waits for the page with this heading. */
  async sees(title: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  }

  /**
   * Waits until the page has shown what it has received, and asks for nothing more.
   *
   * @throws Error with the requests that have no reply, after two minutes
   */
  async settled(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS
    let isQuiet = false
    while (!isQuiet) {
      if (performance.now() > deadline)
        throw new Error(`no reply yet: ${[...this.pending].map((request) => request.url()).join(', ')}`)
      if (this.pending.size > 0) await this.page.waitForTimeout(POLL_MS)
      else {
        await this.page.evaluate(twoFrames)
        isQuiet = this.pending.size === 0
      }
    }
  }

  leave(): Promise<void> {
    return this.context.close()
  }

  private listen(page: Page): void {
    page.on('console', (message) => {
      this.said.push(message.text())
      // The browser itself writes a line for each status from 400; what a page does about it is tested elsewhere.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.complaints.push(message.text())
    })
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('request', (request) => {
      this.urls.push(request.url())
      this.pending.add(request)
    })
    page.on('requestfinished', (request) => this.pending.delete(request))
    page.on('requestfailed', (request) => this.pending.delete(request))
  }
}
