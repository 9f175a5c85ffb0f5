import type { Visitor } from './visitor.js'

/** Lets the next POST to a path succeed, and loses its reply: as a connection that breaks. */
export async function loseNextReply({ page, gateway }: Visitor, path: string): Promise<void> {
  let isLost = false
  await page.route(`**${path}`, async (route) => {
    if (isLost || route.request().method() !== 'POST') {
      await route.fallback()
      return
    }
    const sent = await route.request().allHeaders()
    // The browser adds these only to what it sends itself.
    const response = await route.fetch({
      headers: { ...sent, origin: gateway, 'sec-fetch-site': 'same-origin' },
    })
    if (!response.ok()) {
      // The client asks for its CSRF token when it needs one, and then sends the change again.
      await route.fulfill({ response })
      return
    }
    isLost = true
    await route.abort()
  })
}
