import { useQuery } from '@tanstack/react-query'
import { installation } from '../ground/queries.js'
import { Card } from '../parts/page.js'

/** The version that runs, and the licenses that ask to be handed on with the code of these pages. */
export function AboutCard() {
  const { data } = useQuery(installation)
  return (
    <Card title="About" about={data && `Bearing ${data.version}, under the Apache License 2.0.`}>
      <p>
        <a href="/app/third-party-notices.txt">Licenses of the software in these pages</a>
      </p>
    </Card>
  )
}
