import { useState } from 'react'
import { useOperation, useOperationMutation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import { Preview } from '../../../entities/editor/preview.tsx'
import { agoText } from '../../../kit/dates.ts'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'

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
      <summary>{t('common.versions')}</summary>
      {open && <List {...props} />}
    </details>
  )
}

function List({ project_id, kind, may }: Props) {
  const list = useOperation('guidance.versions', { project_id, kind, limit: 50 })
  const { data } = list
  if (!data) return <LoadError of={list} what={t('common.versions_inline')} />
  if (!data.items.length) return <p className="none">{t('settings.no_earlier_versions')}</p>
  return (
    <ol aria-label={t('common.versions')}>
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
  const { mutate, busy } = useOperationMutation('guidance.restore', {
    onDone: ({ restored }) => showToast(t('settings.restored_version_restored', { restored })),
    onFailed: showError,
  })
  const { short, full } = agoText(created_at)
  const name = slug
    ? t('settings.version_of_slug', { version: version.version, slug })
    : t('settings.version_inline', { version: version.version })
  return (
    <li>
      <p>
        <b>{t('settings.version_version', { version: version.version })}</b>{' '}
        {slug && <code>/{slug}</code>} <bdi>{author?.name ?? t('settings.unknown_author')}</bdi>{' '}
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
        aria-label={isShown ? t('settings.hide_name', { name }) : t('settings.show_name', { name })}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? t('common.hide') : t('common.show')}
      </button>
      {isRestorable && (
        <button
          type="button"
          className="button quiet"
          aria-label={t('settings.restore_name', { name })}
          disabled={busy}
          onClick={() => mutate({ project_id, version_id })}
        >
          {t('common.restore')}
        </button>
      )}
      {isShown && <VersionText {...{ project_id, version_id }} />}
    </li>
  )
}

function VersionText({ project_id, version_id }: Pick<Version, 'project_id' | 'version_id'>) {
  const version = useOperation('guidance.version', { project_id, version_id })
  const { data } = version
  if (!data) return <LoadError of={version} what={t('settings.this_version')} />
  return <Preview text={markdownOf(data.content) || t('settings.empty')} />
}

/** The content of a version as one Markdown text. */
const markdownOf = ({ definition_of_done, ...content }: Content): string =>
  [
    content.custom_instruction,
    content.working_rules &&
      t('settings.working_rules_working_rules', { working_rules: content.working_rules }),
    definition_of_done?.length &&
      t('settings.definition_of_done_list', {
        list: definition_of_done.map((line) => `- ${line}`).join('\n'),
      }),
    content.notes && t('settings.notes_notes', { notes: content.notes }),
    content.model_selected && t('settings.model_model', { model: content.model_selected }),
    content.name && `## ${content.name}`,
    content.description,
    content.body,
  ]
    .filter(Boolean)
    .join('\n\n')
