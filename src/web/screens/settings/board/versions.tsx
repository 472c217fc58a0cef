import { useState } from 'react'
import { useOperation, useOperationMutation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import { Preview } from '../../../entities/editor/preview.tsx'
import { agoWords } from '../../../kit/dates.ts'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'

interface Props {
  project_id: number
  kind: 'playbook' | 'instructions' | 'skill'
  /** Whether the user can restore versions. */
  may: boolean
}

type Version = Output<'guidance.versions'>['items'][number]
type Content = Output<'guidance.version'>['content']

/** Versions of a board's guidance, loaded on request. */
export function Versions(props: Props) {
  const [open, setOpen] = useState(false)
  return (
    <details
      className="guidance-versions"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Versions</summary>
      {open && <List {...props} />}
    </details>
  )
}

function List({ project_id, kind, may }: Props) {
  const list = useOperation('guidance.versions', { project_id, kind, limit: 50 })
  const { data } = list
  if (!data) return <LoadError of={list} what="versions" />
  if (!data.items.length) return <p className="none">No earlier versions.</p>
  return (
    <ol aria-label="Versions">
      {data.items.map((one, at) => (
        <VersionItem
          key={one.version_id}
          version={one}
          isRestorable={may && (at > 0 || one.changed.includes('deleted'))}
        />
      ))}
    </ol>
  )
}

function VersionItem({ version, isRestorable }: { version: Version; isRestorable: boolean }) {
  const { project_id, version_id, slug, author, created_at, changed } = version
  const [isShown, setIsShown] = useState(false)
  const { act, busy } = useOperationMutation('guidance.restore', {
    onDone: ({ restored }) => showToast(`Restored version ${restored}`),
    onFailed: showError,
  })
  const { short, full } = agoWords(created_at)
  const name = `version ${version.version}${slug ? ` of /${slug}` : ''}`
  return (
    <li>
      <p>
        <b>Version {version.version}</b> {slug && <code>/{slug}</code>}{' '}
        <bdi>{author?.name ?? 'Unknown author'}</bdi>{' '}
        <time className="soft" dateTime={created_at} title={full}>
          {short}
        </time>{' '}
        <span className="soft">
          {changed.map((field) => field.replaceAll('_', ' ')).join(', ')}
        </span>
      </p>
      <button
        type="button"
        className="button quiet"
        aria-expanded={isShown}
        aria-label={`${isShown ? 'Hide' : 'Show'} ${name}`}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
      </button>
      {isRestorable && (
        <button
          type="button"
          className="button quiet"
          aria-label={`Restore ${name}`}
          disabled={busy}
          onClick={() => act({ project_id, version_id })}
        >
          Restore
        </button>
      )}
      {isShown && <VersionText {...{ project_id, version_id }} />}
    </li>
  )
}

function VersionText({ project_id, version_id }: Pick<Version, 'project_id' | 'version_id'>) {
  const version = useOperation('guidance.version', { project_id, version_id })
  const { data } = version
  if (!data) return <LoadError of={version} what="this version" />
  return <Preview text={markdownOf(data.content) || '*Empty*'} />
}

/** The content of a version as one Markdown text. */
const markdownOf = ({ definition_of_done, ...content }: Content): string =>
  [
    content.custom_instruction,
    content.working_rules && `## Working rules\n\n${content.working_rules}`,
    definition_of_done?.length &&
      `## Definition of done\n\n${definition_of_done.map((line) => `- ${line}`).join('\n')}`,
    content.notes && `## Notes\n\n${content.notes}`,
    content.model_selected && `## Model\n\n${content.model_selected}`,
    content.name && `## ${content.name}`,
    content.description,
    content.body,
  ]
    .filter(Boolean)
    .join('\n\n')
