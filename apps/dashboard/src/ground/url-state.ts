import { useNavigate, useSearch } from '@tanstack/react-router'

/** Returns the parameters of the URL's query, as texts. */
export function useQueryTexts(): Readonly<Record<string, string>> {
  const search: Record<string, unknown> = useSearch({ strict: false })
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      // The router reads "1" and "true" as numbers and booleans.
      ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [],
    ),
  )
}

/** Returns a part of the URL's query, as texts, and a function that changes it. Empty texts leave the URL; what is not named stays as it is at that time. */
export function useUrlState<Key extends string>(
  keys: readonly Key[],
): [Readonly<Record<Key, string>>, (change: Partial<Record<Key, string>>) => void] {
  const search = useQueryTexts()
  const navigate = useNavigate()
  const state = Object.fromEntries(keys.map((key) => [key, search[key] ?? ''])) as Record<Key, string>
  return [
    state,
    (change) => {
      void navigate({
        to: '.',
        search: (all: Record<string, unknown>) =>
          Object.fromEntries(Object.entries({ ...all, ...change }).filter(([, value]) => value !== '')),
        replace: true,
      })
    },
  ]
}
