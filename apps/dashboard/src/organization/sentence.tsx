import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { actorIdOf, actorOf, changesOf, SENTENCES, targetOf, type Entry } from './entry.js'

/** Shows an audit event in one sentence, and its changes below. Actor and target link to their other audit events. */
export function Sentence({ entry }: { readonly entry: Entry }) {
  const { organizationSlug } = useScope()
  const projects = useQuery(projectsOf(organizationSlug))
  const names = useMemo(() => new Map(projects.data?.map(({ id, name }) => [id, name])), [projects.data])
  const sentence = SENTENCES[entry.action] ?? `did “${entry.action}” to {target}`
  const [start = '', end] = sentence.split('{target}')
  const actorId = actorIdOf(entry)
  const target = targetOf(entry, names)
  const project = names.get(String(entry.details['project_id']))
  const { changes } = changesOf(entry)
  return (
    <div className="stack-s sentence">
      <span>
        {actorId === undefined ? (
          <strong>{actorOf(entry)}</strong>
        ) : (
          <Link className="subtle" to="." search={{ actor: actorId }}>
            {actorOf(entry)}
          </Link>
        )}{' '}
        {start}
        {end !== undefined && (
          <>
            <Link className="subtle" to="." search={{ target: entry.target }}>
              {target}
            </Link>
            {end}
          </>
        )}
        {project !== undefined && project !== target && ` (project ${project})`}
        {/[”"]$|\.$/.test(sentence) ? '' : '.'}
      </span>
      {changes.length > 0 && (
        <ul className="changes">
          {changes.map(({ name, before, after }) => (
            <li key={name}>
              {name}: <del>{before}</del> <span aria-hidden="true">→</span>{' '}
              <span className="visually-hidden">is now</span> <ins>{after}</ins>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
