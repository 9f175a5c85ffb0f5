import { useEffect } from 'react'
import { Page } from '../parts/page.js'
import { Problem } from '../parts/problem.js'

export function NotFound() {
  return (
    <Page title="There is no such page" about="The address may be mistyped, or from another version.">
      <p>
        <a href="/app">Open the dashboard</a>
      </p>
    </Page>
  )
}

/** Key of the time at which the page was last reloaded for a missing part. */
const RELOADED = 'bearing-reloaded'
const PAUSE_MS = 30_000

/** A page that failed. Parts of an older version are gone after a deployment: then the page reloads itself once. */
export function PageFailed({ error }: { readonly error: unknown }) {
  const isOutdated = /dynamically imported module|module script/i.test(
    error instanceof Error ? error.message : '',
  )
  useEffect(() => {
    if (!isOutdated || Date.now() - Number(sessionStorage.getItem(RELOADED)) < PAUSE_MS) return
    sessionStorage.setItem(RELOADED, String(Date.now()))
    window.location.reload()
  }, [isOutdated])
  return (
    <Page title="This page failed">
      <Problem error={error} onRetry={() => window.location.reload()} />
    </Page>
  )
}
