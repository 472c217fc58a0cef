import { type ComponentType, useEffect, useRef } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import type { Me } from '../../entities/user/me.ts'
import { ApiError, errorText } from '../../kit/errors.ts'
import { RecoveryAction } from '../../kit/recovery-action.tsx'
import { t } from '../../messages/t.ts'
import './board/board.css'
import './board/forms.css'
import BoardChannels from './board/channels.tsx'
import Columns from './board/columns.tsx'
import { type PartProps as OfBoard, permissionsOn } from './board/data.ts'
import Fields from './board/fields.tsx'
import General from './board/general.tsx'
import Webhooks from './board/hooks.tsx'
import Instructions from './board/instructions.tsx'
import Labels from './board/labels.tsx'
import Members from './board/members.tsx'
import Playbook from './board/playbook.tsx'
import Pulls from './board/pulls.tsx'
import Repositories from './board/repositories.tsx'
import Rules from './board/rules/list.tsx'
import Skills from './board/skills.tsx'
import Templates from './board/templates.tsx'
import type { PartProps } from './part-props.ts'
import { SettingsPage } from './parts.tsx'

/** The sections in order, by their name in the URL. */
const SECTIONS = {
  general: [t('settings.general'), General],
  columns: [t('settings.columns_name'), Columns],
  labels: [t('common.labels'), Labels],
  fields: [t('settings.custom_fields_name'), Fields],
  members: [t('settings.members'), Members],
  rules: [t('rules.rules'), Rules],
  playbook: [t('settings.playbook'), Playbook],
  instructions: [t('settings.instructions'), Instructions],
  skills: [t('settings.skills'), Skills],
  templates: [t('settings.templates_name'), Templates],
  channels: [t('settings.channels'), BoardChannels],
  repositories: [t('code.repositories'), Repositories],
  pulls: [t('common.pull_requests'), Pulls],
  webhooks: [t('hooks.webhooks'), Webhooks],
} as const satisfies Record<string, readonly [string, ComponentType<OfBoard>]>
type Name = keyof typeof SECTIONS

/** The settings of the board in the URL, or of the user's default board. */
export default function Board({ me, id }: PartProps) {
  const first = me.profile.default_board ?? me.boards[0]?.project_id
  const project_id = id === undefined ? first : Number(id)
  if (project_id === undefined) return <NoBoard />
  if (!Number.isInteger(project_id) || project_id < 1) return <Missing />
  return <BoardSettings key={project_id} {...{ me, project_id }} />
}

function BoardSettings({ me, project_id }: { me: Me; project_id: number }) {
  const { data: board, error } = useOperation('projects.manifest', { project_id })
  const [query] = useSearchParams()
  const sectionParam = query.get('of') ?? 'general'
  const name: Name = Object.hasOwn(SECTIONS, sectionParam) ? (sectionParam as Name) : 'general'
  if (error && !board) return <Missing error={error} />
  if (!board) return <SettingsSkeleton />
  const [, Section] = SECTIONS[name]
  return (
    <div className="board-settings">
      <header>
        <h1>
          <span className="unseen">{t('settings.settings_of')} </span>
          <span dir="auto">{board.title}</span>
        </h1>
        <BoardSelect {...{ me, board }} of={name} />
        <Link href={`/projects/${project_id}`} className="button plain">
          {t('settings.go_to_the_board')}
        </Link>
      </header>
      <Tabs {...{ project_id, name }} />
      <div className="content">
        <Section board={board} may={permissionsOn(me, board)} />
      </div>
    </div>
  )
}

/** If the tabs overflow, the current one is scrolled into view. */
function Tabs({ project_id, name }: { project_id: number; name: Name }) {
  const nav = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab becomes the current one
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current]')
    link?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [name])
  return (
    <nav ref={nav} className="tabs" aria-label={t('settings.board_settings')}>
      {Object.entries(SECTIONS).map(([one, [label]]) => (
        <Link
          key={one}
          href={`/settings/board/${project_id}?of=${one}`}
          aria-current={one === name ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

interface BoardSelectProps {
  me: Me
  board: OfBoard['board']
  of: Name
}

/** Switches to the same section of another board. */
function BoardSelect({ me, board, of }: BoardSelectProps) {
  const [, go] = useLocation()
  const { project_id, title } = board
  const isListed = me.boards.some((one) => one.project_id === project_id)
  const others = isListed ? me.boards : [{ project_id, title }, ...me.boards]
  if (others.length < 2) return null
  return (
    <select
      className="field"
      aria-label={t('common.board')}
      value={project_id}
      onChange={({ target }) => go(`/settings/board/${target.value}?of=${of}`)}
    >
      {others.map((one) => (
        <option key={one.project_id} value={one.project_id}>
          {one.title}
        </option>
      ))}
    </select>
  )
}

const NoBoard = () => (
  <SettingsPage
    title={t('settings.no_board_yet')}
    about={t('settings.each_board_has_its_own_columns_labels')}
  >
    <div>
      <Link href="/new" className="button main">
        {t('common.create_board')}
      </Link>
    </div>
  </SettingsPage>
)

/** These statuses all mean that the board does not exist for the user. */
const ABSENT = new Set([400, 403, 404])
const NOT_FOUND = t('settings.it_may_have_been_deleted_or_you')

function Missing({ error }: { error?: Error }) {
  const isUnknown = !error || (error instanceof ApiError && ABSENT.has(error.status))
  return (
    <div role="alert">
      <SettingsPage
        title={isUnknown ? t('settings.board_not_found') : t('settings.could_not_load_the_board')}
        about={isUnknown ? NOT_FOUND : errorText(error)}
      >
        <div>
          <RecoveryAction {...{ isUnknown, error }} />
        </div>
      </SettingsPage>
    </div>
  )
}

/** A placeholder while the settings load. */
const SettingsSkeleton = () => (
  <div className="board-settings shape" aria-hidden="true">
    {['40%', '100%', '70%', '90%', '60%'].map((width) => (
      <span key={width} style={{ width }} />
    ))}
  </div>
)
