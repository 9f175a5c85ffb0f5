import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { counted } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { installation } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { AsCommand, Command, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Card, Page } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { useSampleScan } from '../parts/sample-scan.js'
import { Explained } from './explained.js'
import { parseScan, type ParsedScan } from './parse-scan.js'
import type { Explanation } from './words.js'

/** `…/location/try`. */
export function TryPage() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [text, setText] = useState('')
  const [explanation, setExplanation] = useState<Explanation>()
  const config = useQuery(installation)
  const parsed = useMemo(() => parseScan(text), [text])
  const scan = typeof parsed === 'object' ? parsed : undefined
  const action = useAction(async () => {
    setExplanation(undefined)
    if (scan) setExplanation(await client.call('explainLocation', { organization, project, ...scan.body }))
  })
  const sample = useSampleScan()
  const body = scan?.body ?? (sample && { accessPoints: [...sample] })
  const commands = body && commandsFor(body, { url: config.data?.public_url ?? '', organization, project })
  return (
    <Page
      title="Try it"
      about="Paste what a device received: where it was, and which access points say so. It counts as a look-up; nothing is stored."
    >
      <Card title="Scan">
        <Form error={action.error} onSubmit={() => void action.run()}>
          <Field
            label="What the device received"
            name="accessPoints"
            isLong
            placeholder={EXAMPLE}
            hint="JSON of the API, a curl line, WiGLE rows, or lines of a MAC address and a signal strength."
            value={text}
            onChange={(value) => {
              setText(value)
              setExplanation(undefined)
            }}
          />
          <div className="row">
            <PermittedButton
              look="primary"
              type="submit"
              permission="location:resolve"
              isDisabled={!scan}
              isPending={action.isPending}
            >
              {action.isPending ? 'Locating …' : 'Locate'}
            </PermittedButton>
            <Recognized parsed={parsed} />
          </div>
          <Problem error={action.error} />
          {scan && commands && <AsCommand {...commands} />}
        </Form>
      </Card>
      {explanation ? (
        <Explained explanation={explanation} />
      ) : (
        !scan && (
          <div className="empty">
            <h2>No scan at hand?</h2>
            {commands ? (
              <>
                <p className="quiet">
                  These are two of your access points. Paste the command above, or run it:
                </p>
                <Command text={commands.bearing} />
              </>
            ) : (
              <p className="quiet">
                Import access points first: a scan has a position only where access points are known.
              </p>
            )}
          </div>
        )
      )}
    </Page>
  )
}

const EXAMPLE = `{ "accessPoints": [
  { "macAddress": "00:1a:2b:3c:4d:5e", "signalStrength": -67 },
  { "macAddress": "00:1a:2b:3c:4d:60", "signalStrength": -71 } ] }`

/** Shows the recognized content of the text, or the mistake in it. */
function Recognized({ parsed }: { readonly parsed: ParsedScan | string | undefined }) {
  if (typeof parsed === 'string')
    return (
      <p className="mistake" role="status">
        {parsed}
      </p>
    )
  return (
    <p className="quiet" role="status">
      {parsed &&
        [
          counted(parsed.counts.accessPoints, 'access point'),
          ...(parsed.counts.cells > 0 ? [counted(parsed.counts.cells, 'cell')] : []),
        ].join(', ')}
    </p>
  )
}

/** Access points that fit on a command line. */
const MOST_FLAGS = 8

interface Place {
  readonly url: string
  readonly organization: string
  readonly project: string
}

/** Returns the same request on the command line and as a curl line. */
function commandsFor(
  body: ParsedScan['body'],
  { url, organization, project }: Place,
): { readonly bearing: string; readonly curl: string } {
  const { accessPoints: received, ...rest } = body
  const accessPoints: readonly unknown[] = Array.isArray(received) ? received : []
  const json = JSON.stringify(body)
  const isWifi = accessPoints.length > 0 && Object.keys(rest).length === 0
  const bearing = `bearing --org ${organization} --project ${project} locate --explain`
  const flags = accessPoints.flatMap(flagOf)
  const path = `${url}/v1/organizations/${organization}/projects/${project}/location`
  return {
    bearing:
      isWifi && flags.length === accessPoints.length && flags.length <= MOST_FLAGS
        ? [bearing, ...flags].join(' \\\n  ')
        : `echo ${quoted(json)} |\n  ${bearing} -`,
    curl: [
      `curl ${path}/${isWifi ? 'wifi' : 'ground-fix'}`,
      `-H "Authorization: Bearer $BEARING_ORG_TOKEN"`,
      `-H "Content-Type: application/json"`,
      `-d ${quoted(json)}`,
    ].join(' \\\n  '),
  }
}

/** Returns an access point as a flag; none if it has a field that the flag has no place for. */
function flagOf(accessPoint: unknown): string[] {
  if (typeof accessPoint !== 'object' || accessPoint === null) return []
  const { macAddress, signalStrength, age, ...rest } = accessPoint as Readonly<Record<string, unknown>>
  if (typeof macAddress !== 'string' || Object.keys(rest).length > 0) return []
  if (signalStrength === undefined && age === undefined) return [`--ap ${quoted(macAddress)}`]
  if (typeof signalStrength !== 'number' || !['number', 'undefined'].includes(typeof age)) return []
  const since = typeof age === 'number' ? `@${String(age)}` : ''
  return [`--ap ${quoted(`${macAddress}=${String(signalStrength)}${since}`)}`]
}
