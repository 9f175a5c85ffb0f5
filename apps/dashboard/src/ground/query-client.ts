import { ProblemError } from '@bearing/client/errors'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut } from './client.js'
import { signedOut } from './signed-out.js'

const MAX_RETRIES = 2

/** Caches what pages have read. Secrets are never read by a query: {@link import('./use-action.js')} keeps them out of here. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (isSignedOut(error) && query.meta?.['mayBeSignedOut'] !== true) signedOut.set(true)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal stays one; only what did not answer is worth another try.
      retry: (count, error) =>
        count < MAX_RETRIES && !(error instanceof ProblemError && error.status !== 503 && error.status < 500),
      refetchOnWindowFocus: true,
    },
  },
})
