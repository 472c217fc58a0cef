import { signOut } from '../../entities/user/me.ts'
import { SelectField } from '../../kit/field.tsx'
import { languages } from './languages.ts'
import type { PartProps } from './part-props.ts'
import { SettingRow, SettingsPage, SettingsSection, TextRow } from './parts.tsx'
import { useProfile } from './profile-update.ts'
import { ZoneRow } from './zone-row.tsx'

export default function Profile({ me }: PartProps) {
  const { save, choose } = useProfile(me)
  const { profile } = me
  return (
    <SettingsPage title="Profile" about="How the people and agents you work with see you.">
      <SettingsSection title="You">
        <TextRow
          label="Name"
          hint="Shown with everything you do."
          value={profile.display_name}
          maxLength={200}
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
          maxLength={2000}
          placeholder="https://…"
          autoComplete="photo"
          onSave={(avatar) =>
            save(
              { avatar: avatar || null },
              avatar ? 'Changed your picture' : 'Removed your picture',
            )
          }
        />
      </SettingsSection>
      <SettingsSection title="Preferences">
        <ZoneRow me={me} choose={choose} />
        <SelectField
          className="row"
          label="Language"
          hint="The language in which agents and programs should write to you."
          value={profile.locale ?? 'en'}
          choices={languages(profile.locale)}
          onPick={(locale) => choose({ locale }, 'Changed your language')}
        />
        <DefaultBoardField
          me={me}
          onPick={(default_board) => choose({ default_board }, 'Changed your default board')}
        />
      </SettingsSection>
      <div className="flex-wrap">
        <button type="button" className="button plain" onClick={signOut}>
          Sign out
        </button>
      </div>
    </SettingsPage>
  )
}

function DefaultBoardField({
  me,
  onPick,
}: Pick<PartProps, 'me'> & { onPick(project_id: number | null): void }) {
  const boards = me.boards.map(({ project_id, title }) => [project_id, title] as const)
  return (
    <SelectField
      className="row"
      label="Default board"
      hint="Opens first and gets your new tasks. If none is set, the first board in the sidebar opens, and My Tasks asks for a board."
      value={me.profile.default_board ?? null}
      choices={[[null, 'None'], ...boards]}
      onPick={onPick}
    />
  )
}
