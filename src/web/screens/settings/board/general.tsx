import { Link } from 'wouter'
import type { Input } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { Check } from '../../../kit/field.tsx'
import { InlineField } from '../../../kit/inline-edit.tsx'
import { useAction } from '../../../kit/use-action.ts'
import { rich, t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { About } from './about.tsx'
import { AgentLimits } from './agent-limits.tsx'
import { type Board, type PartProps, patchBoard, reloadBoard, runWrite } from './data.ts'
import { MANAGERS_ONLY, MEMBERS_ONLY } from './parts.tsx'

export default function General({ board, may }: PartProps) {
  const { title, key } = board
  return (
    <>
      <SettingsSection title={t('common.name')} readOnly={!may.write && MEMBERS_ONLY}>
        <div className="pair">
          <InlineField
            label={t('settings.name_of_the_board')}
            value={title}
            maxLength={500}
            disabled={!may.write}
            onSave={(next) =>
              update(board, { title: next }, t('settings.renamed_to_next', { next }))
            }
          />
          <p className="soft">
            {rich('settings.its_tasks_are_numbered_code_code2_and', {
              code: <code>{key}-1</code>,
              code2: <code>{key}-2</code>,
            })}
          </p>
        </div>
      </SettingsSection>
      <About board={board} mayWrite={may.write} />
      <Access {...{ board, may }} />
      <AutoArchive {...{ board, may }} />
      <AgentLimits {...{ board, may }} />
      <ArchiveBoard {...{ board, may }} />
    </>
  )
}

type Fields = Pick<Input<'projects.update'>, 'title' | 'access' | 'auto_archive_days'>

function update(board: Board, fields: Fields, message: string | undefined): Promise<boolean> {
  const { project_id } = board
  const before = Object.fromEntries(
    Object.keys(fields).map((one) => [one, board[one as keyof Fields]]),
  ) as Fields
  return runWrite({
    change: () => patchBoard(project_id, fields as Partial<Board>),
    async send() {
      await sendWrite('projects.update', { project_id, ...fields })
      reloadBoard(project_id)
    },
    message,
    undo: () => update({ ...board, ...fields } as Board, before, undefined),
  })
}

const ACCESS = [
  ['team', t('settings.the_team'), t('settings.owners_admins_and_members_and_guests_who')],
  ['invited', t('settings.invited_people'), t('settings.only_people_invited_by_name_and_owners')],
] as const

function Access({ board, may }: PartProps) {
  return (
    <SettingsSection
      title={t('settings.who_can_see_this_board')}
      readOnly={!may.manage && MANAGERS_ONLY}
    >
      <fieldset className="radios" disabled={!may.manage}>
        <legend className="unseen">{t('settings.who_can_see_this_board')}</legend>
        {ACCESS.map(([access, name, about]) => (
          <Check
            key={access}
            name="access"
            checked={board.access === access}
            onChange={() =>
              void update(
                board,
                { access },
                access === 'team'
                  ? t('settings.the_team_can_see_this_board')
                  : t('settings.only_invited_people_can_see_this_board'),
              )
            }
          >
            <span>
              {name}
              <span className="soft">{about}</span>
            </span>
          </Check>
        ))}
      </fieldset>
      <p>
        <Link href="?of=members">{t('settings.manage_members')}</Link>
      </p>
    </SettingsSection>
  )
}

const DEFAULT_DAYS = 30

/** Archives finished tasks automatically after some days. */
function AutoArchive({ board, may }: PartProps) {
  const { auto_archive_days: days } = board
  const set = (next: number | null) =>
    update(
      board,
      { auto_archive_days: next },
      next === null
        ? t('settings.turned_off_automatic_archiving')
        : t('settings.done_tasks_are_archived_after_next_days', { next }),
    )
  return (
    <SettingsSection
      title={t('settings.done_tasks')}
      about={t('settings.tasks_in_a_done_column_that_nobody')}
    >
      <div className="flex-wrap">
        <Check
          checked={days !== null}
          disabled={!may.write}
          onChange={(checked) => void set(checked ? DEFAULT_DAYS : null)}
        >
          {t('settings.archive_automatically')}
        </Check>
        {days !== null && (
          <span className="after flex-row">
            {t('settings.after')}
            <InlineField
              label={t('settings.days_until_archived')}
              value={String(days)}
              {...{ numeric: true, maxLength: 4, disabled: !may.write }}
              onSave={(text) => set(parseDays(text))}
            />
            {t('settings.days')}
          </span>
        )}
      </div>
    </SettingsSection>
  )
}

/** Invalid input becomes 0, which the server refuses with its own message. */
const parseDays = (text: string) => (/^\d+$/.test(text) ? Number(text) : 0)

function ArchiveBoard({ board, may }: PartProps) {
  const { title, status } = board
  const { busy, run } = useAction()
  const isArchived = status === 'Archive'
  const toggle = () => void run(() => setStatus(board, isArchived ? 'Normal' : 'Archive'))
  return (
    <SettingsSection
      title={isArchived ? t('settings.archived_board') : t('settings.archive_board')}
      readOnly={!may.manage && MANAGERS_ONLY}
      about={
        isArchived
          ? t('settings.it_is_hidden_from_all_lists_and')
          : t('settings.archiving_hides_the_board_from_all_lists')
      }
    >
      {may.manage && (
        <button type="button" className="button plain" disabled={busy} onClick={toggle}>
          {isArchived
            ? t('settings.restore_title', { title })
            : t('settings.archive_title', { title })}
        </button>
      )}
    </SettingsSection>
  )
}

function setStatus(board: Board, status: Board['status'], isUndo = false): Promise<boolean> {
  const { project_id, title, status: before } = board
  const message =
    status === 'Normal'
      ? t('common.restored_title', { title })
      : t('common.archived_title', { title })
  return runWrite({
    change: () => patchBoard(project_id, { status }),
    async send() {
      await sendWrite('projects.archive', { project_id, status })
      reloadBoard(project_id)
    },
    message: isUndo ? undefined : message,
    undo: () => setStatus({ ...board, status }, before, true),
  })
}
