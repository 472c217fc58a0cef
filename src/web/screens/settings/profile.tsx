import { useId } from 'react'
import { signOut } from '../../entities/user/me.ts'
import { languages } from './languages.ts'
import type { PartProps } from './part-props.ts'
import { SettingRow, SettingsGroup, SettingsPage, TextRow } from './parts.tsx'
import { useProfile } from './profile-update.ts'
import { ZoneRow } from './zone-row.tsx'

const NONE = 0

export default function Profile({ me }: PartProps) {
  const { save, choose } = useProfile(me)
  const { profile } = me
  return (
    <SettingsPage title="Profile" about="How the people and agents you work with see you.">
      <SettingsGroup title="You">
        <TextRow
          label="Name"
          hint="Shown with everything you do."
          value={profile.display_name}
          most={200}
          autoComplete="name"
          onSave={(display_name) => save({ display_name }, 'Changed your name')}
        />
        <SettingRow label="Email" hint="For signing in and for notifications.">
          <span>{profile.email}</span>
        </SettingRow>
        <TextRow
          label="Picture"
          hint="An https address, for other programs. The app shows your initials, because it loads nothing from other servers."
          value={profile.avatar ?? ''}
          most={2000}
          placeholder="https://…"
          autoComplete="photo"
          onSave={(avatar) =>
            save(
              { avatar: avatar || null },
              avatar ? 'Changed your picture' : 'Removed your picture',
            )
          }
        />
      </SettingsGroup>
      <SettingsGroup title="Preferences">
        <ZoneRow me={me} choose={choose} />
        <SelectRow
          label="Language"
          hint="The language in which agents and programs should write to you."
          value={profile.locale ?? 'en'}
          choices={languages(profile.locale)}
          onPick={(locale) => choose({ locale }, 'Changed your language')}
        />
        <DefaultBoardRow
          me={me}
          onPick={(board) => choose({ default_board: board || null }, BOARD_MESSAGE)}
        />
      </SettingsGroup>
      <div className="deeds">
        <button type="button" className="button plain" onClick={signOut}>
          Sign out
        </button>
      </div>
    </SettingsPage>
  )
}

const BOARD_MESSAGE = 'Changed your default board'

function DefaultBoardRow({
  me,
  onPick,
}: Pick<PartProps, 'me'> & { onPick(project_id: number): void }) {
  const choices = me.boards.map(({ project_id, title }) => ({
    ...{ value: String(project_id), name: title },
  }))
  return (
    <SelectRow
      label="Default board"
      hint="Opens first and gets your new tasks. If none is set, the first board in the sidebar opens, and My Tasks asks for a board."
      value={String(me.profile.default_board ?? NONE)}
      choices={[{ value: String(NONE), name: 'None' }, ...choices]}
      onPick={(value) => onPick(Number(value))}
    />
  )
}

interface SelectRowProps {
  label: string
  hint: string
  value: string
  choices: readonly { value: string; name: string }[]
  onPick(value: string): void
}

/** A select that saves on change. */
function SelectRow({ label, hint, value, choices, onPick }: SelectRowProps) {
  const id = useId()
  return (
    <SettingRow label={label} hint={hint} id={id}>
      <select
        id={id}
        className="field"
        aria-describedby={`${id}-hint`}
        value={value}
        onChange={({ target }) => onPick(target.value)}
      >
        {choices.map((one) => (
          <option key={one.value} value={one.value}>
            {one.name}
          </option>
        ))}
      </select>
    </SettingRow>
  )
}
