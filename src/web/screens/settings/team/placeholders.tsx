import { useState } from 'react'
import { cache, useOperation } from '../../../data/cache.ts'
import { callOperation, type Output } from '../../../data/client.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { PickOne } from '../../../kit/pick.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { ListLine, SettingsSection } from '../parts.tsx'

type Placeholder = Output<'placeholders.list'>['items'][number]
interface Member {
  value: number
  name: string
}

/** People of imported tasks who are not members; a member can take the place of each. */
export function Placeholders({ team_id }: { team_id: number }) {
  const list = useOperation('placeholders.list', { team_id, limit: 50 })
  const members = useOperation('teams.members', { team_id, kind: 'person', limit: 50 })
  const choices = (members.data?.items ?? []).map(({ user_id, name }) => ({
    value: user_id!,
    name,
  }))
  const placeholders = list.data?.items ?? []
  if (!placeholders.length) return null
  return (
    <SettingsSection title={t('import.placeholders')} about={t('import.how_to_replace_one')}>
      <ul className="list-lines">
        {placeholders.map((one) => (
          <PlaceholderLine key={one.user_id} {...{ one, choices, team_id }} />
        ))}
      </ul>
    </SettingsSection>
  )
}

interface LineProps {
  one: Placeholder
  choices: readonly Member[]
  team_id: number
}

function PlaceholderLine({ one, choices, team_id }: LineProps) {
  const [member, setMember] = useState<Member>()
  const label = t('import.replace_name', { name: one.name })
  return (
    <ListLine name={<span dir="auto">{one.name}</span>} meta={[one.email]}>
      <PickOne
        {...{ label, choices }}
        value={undefined}
        onPick={(id) => setMember(choices.find(({ value }) => value === id))}
        trigger={
          <button type="button" className="button plain" aria-label={label}>
            {t('import.replace')}
            <Icon name="chevron" />
          </button>
        }
      />
      {member && (
        <ReplaceDialog {...{ one, member, team_id }} onClose={() => setMember(undefined)} />
      )}
    </ListLine>
  )
}

interface DialogProps {
  one: Placeholder
  member: Member
  team_id: number
  onClose(): void
}

function ReplaceDialog({ one: { user_id, name }, member, team_id, onClose }: DialogProps) {
  const replace = async () => {
    await callOperation('placeholders.assign', { team_id, user_id, to_user_id: member.value })
    void cache.invalidateQueries({ queryKey: ['placeholders.list'] })
    showToast(t('import.member_replaces_name', { member: member.name, name }))
  }
  return (
    <ConfirmDialog
      title={t('import.replace_name_with_member', { member: member.name, name })}
      submitLabel={t('import.replace')}
      onClose={onClose}
      onConfirm={replace}
    >
      <p>{t('import.what_replacing_does', { member: member.name, name })}</p>
    </ConfirmDialog>
  )
}
