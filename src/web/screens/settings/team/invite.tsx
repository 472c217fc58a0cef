import { useState } from 'react'
import { cache, useOperationMutation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import type { Me } from '../../../entities/user/me.ts'
import { Copy } from '../../../kit/copy.tsx'
import { SelectField, TextField } from '../../../kit/field.tsx'
import { Form, FormFooter } from '../../../kit/form.tsx'
import { rich, t } from '../../../messages/t.ts'
import { assignableRoles, NAMES, type Role, type Team } from './permissions.ts'

type CreatedInvitation = Output<'invitations.create'>

interface Props {
  team: Team
  me: Me
}

/** Invites somebody; the link is shown once. */
export function Invite(props: Props) {
  const [created, setCreated] = useState<CreatedInvitation>()
  if (created) return <InvitationLink created={created} onClose={() => setCreated(undefined)} />
  return <InviteForm {...props} onCreated={setCreated} />
}

function InviteForm({
  team,
  me,
  onCreated,
}: Props & { onCreated(created: CreatedInvitation): void }) {
  const { team_id } = team
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [board, setBoard] = useState<number | null>(null)
  const { mutateAsync } = useOperationMutation('invitations.create', {
    onDone(one) {
      void cache.invalidateQueries({ queryKey: ['invitations.list'] })
      onCreated(one)
    },
  })
  const invite = () =>
    mutateAsync({ team_id, email: email.trim(), role, ...(board && { project_id: board }) })
  return (
    <Form onSubmit={invite}>
      <div className="fields">
        <TextField
          label={t('settings.email')}
          name="email"
          type="email"
          required
          maxLength={254}
          placeholder={t('settings.kim_example_com')}
          value={email}
          onChange={setEmail}
        />
        <SelectField
          className="short"
          label={t('settings.role')}
          value={role}
          choices={assignableRoles(team.role).map((one) => [one, NAMES[one]] as const)}
          onPick={setRole}
        />
        <BoardField {...{ me, team_id, board }} isRequired={role === 'guest'} onPick={setBoard} />
      </div>
      <FormFooter disabled={!email.trim()}>{t('settings.invite')}</FormFooter>
    </Form>
  )
}

interface BoardFieldProps {
  me: Me
  team_id: number
  board: number | null
  /** Guests need a board, because they only see boards they were invited to. */
  isRequired: boolean
  onPick(project_id: number | null): void
}

function BoardField({ me, team_id, board, isRequired, onPick }: BoardFieldProps) {
  const boards = me.boards.filter((one) => one.team_id === team_id)
  if (!boards.length) return null
  return (
    <SelectField
      className="short"
      label={t('common.board')}
      name="project_id"
      required={isRequired}
      value={board}
      choices={[
        [null, isRequired ? t('settings.select_a_board') : t('settings.no_specific_board')],
        ...boards.map(({ project_id, title }) => [project_id, title] as const),
      ]}
      onPick={onPick}
    />
  )
}

function InvitationLink({ created, onClose }: { created: CreatedInvitation; onClose(): void }) {
  const { email, link, mailed } = created
  return (
    <div className="one-time" role="status">
      <p>
        {rich('settings.email_is_invited', { email: <b>{email}</b> })}{' '}
        {mailed
          ? t('settings.they_also_get_an_email_with_a')
          : t('settings.email_is_not_set_up_on_this_sentence')}{' '}
        {t('settings.the_link_is_shown_only_once_and')}
      </p>
      <Copy label={t('settings.link_for_email', { email })} text={link} />
      <button type="button" className="button plain" onClick={onClose}>
        {t('settings.invite_somebody_else')}
      </button>
    </div>
  )
}
