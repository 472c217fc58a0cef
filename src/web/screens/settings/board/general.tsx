import { Link } from 'wouter'
import type { Input } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { Check } from '../../../kit/field.tsx'
import { InlineField } from '../../../kit/inline-edit.tsx'
import { useAction } from '../../../kit/use-action.ts'
import { SettingsSection } from '../parts.tsx'
import { About } from './about.tsx'
import { type Board, type PartProps, patchBoard, reloadBoard, runWrite } from './data.ts'
import { MANAGERS_ONLY, MEMBERS_ONLY } from './parts.tsx'

export default function General({ board, may }: PartProps) {
  const { title, key } = board
  return (
    <>
      <SettingsSection title="Name" readOnly={!may.write && MEMBERS_ONLY}>
        <div className="pair">
          <InlineField
            label="Name of the board"
            value={title}
            maxLength={500}
            disabled={!may.write}
            onSave={(next) => update(board, { title: next }, `Renamed to ${next}`)}
          />
          <p className="soft">
            Its tasks are numbered <code>{key}-1</code>, <code>{key}-2</code> and so on. Renaming
            the board does not change this.
          </p>
        </div>
      </SettingsSection>
      <About board={board} mayWrite={may.write} />
      <Access {...{ board, may }} />
      <AutoArchive {...{ board, may }} />
      <ArchiveBoard {...{ board, may }} />
    </>
  )
}

type Fields = Pick<Input<'projects.update'>, 'title' | 'access' | 'auto_archive_days'>

function update(board: Board, fields: Fields, words: string | undefined): Promise<boolean> {
  const { project_id } = board
  const before = Object.fromEntries(
    Object.keys(fields).map((one) => [one, board[one as keyof Fields]]),
  ) as Fields
  const request = sendWrite('projects.update', { project_id, ...fields })
  return runWrite({
    made: request.then(() => reloadBoard(project_id)),
    back: patchBoard(project_id, fields as Partial<Board>),
    words,
    undo: () => update({ ...board, ...fields } as Board, before, undefined),
  })
}

const ACCESS = [
  ['team', 'The team', 'Owners, admins and members, and guests who were invited.'],
  ['invited', 'Invited people', 'Only people invited by name, and owners and admins of the team.'],
] as const

function Access({ board, may }: PartProps) {
  return (
    <SettingsSection title="Who can see this board" readOnly={!may.manage && MANAGERS_ONLY}>
      <fieldset className="radios" disabled={!may.manage}>
        <legend className="unseen">Who can see this board</legend>
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
                  ? 'The team can see this board'
                  : 'Only invited people can see this board',
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
        <Link href="?of=members">Manage members</Link>
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
        ? 'Turned off automatic archiving'
        : `Done tasks are archived after ${next} days`,
    )
  return (
    <SettingsSection
      title="Done tasks"
      about="Tasks in a done column that nobody changes for this many days are archived. You can find and restore them at any time."
    >
      <div className="flex-wrap">
        <Check
          checked={days !== null}
          disabled={!may.write}
          onChange={(checked) => void set(checked ? DEFAULT_DAYS : null)}
        >
          Archive automatically
        </Check>
        {days !== null && (
          <span className="after flex-row">
            after
            <InlineField
              label="Days until archived"
              value={String(days)}
              {...{ numeric: true, maxLength: 4, disabled: !may.write }}
              onSave={(text) => set(parseDays(text))}
            />
            days
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
      title={isArchived ? 'Archived board' : 'Archive board'}
      readOnly={!may.manage && MANAGERS_ONLY}
      about={
        isArchived
          ? 'It is hidden from all lists, and nothing can be added to it. Restoring it brings everything back.'
          : 'Archiving hides the board from all lists. Nothing is lost, and you can restore it at any time.'
      }
    >
      {may.manage && (
        <button type="button" className="button plain" disabled={busy} onClick={toggle}>
          {isArchived ? `Restore ${title}` : `Archive ${title}`}
        </button>
      )}
    </SettingsSection>
  )
}

function setStatus(board: Board, status: Board['status'], isUndo = false): Promise<boolean> {
  const { project_id, title, status: before } = board
  const message = `${status === 'Normal' ? 'Restored' : 'Archived'} ${title}`
  const request = sendWrite('projects.archive', { project_id, status })
  return runWrite({
    made: request.then(() => reloadBoard(project_id)),
    back: patchBoard(project_id, { status }),
    words: isUndo ? undefined : message,
    undo: () => setStatus({ ...board, status }, before, true),
  })
}
