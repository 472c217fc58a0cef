import { useState } from 'react'
import { useOperationMutation } from '../../data/cache.ts'
import type { Issued } from '../../entities/agent/agent-form.tsx'
import { Configured } from '../../entities/agent/configured.tsx'
import { levelsOf } from '../../entities/agent/descriptions.ts'
import { OneTimeDialog, tokenLostWarning } from '../../entities/agent/one-time-dialog.tsx'
import type { Me } from '../../entities/user/me.ts'
import { Form, FormFooter } from '../../kit/form.tsx'
import { t } from '../../messages/t.ts'
import { agentFields, isComplete } from './edit.tsx'
import { type Draft, Fields } from './form.tsx'
import { Instructions, Kind, useInstructions } from './native.tsx'

interface Props {
  me: Me
  team_id: number
  onClose(): void
  onCreate(agent_id: string): void
}

/** Creates an agent with the selected scopes, and shows once how to connect it. */
export default function CreateAgent({ me, team_id, onClose, onCreate }: Props) {
  const [agent, setAgent] = useState<Issued>()
  const close = () => {
    onClose()
    if (agent) onCreate(agent.agent_id)
  }
  const finish = (created: Issued) => {
    if (created.token) return setAgent(created)
    onClose()
    onCreate(created.agent_id)
  }
  return (
    <OneTimeDialog
      title={agent ? t('agents.connect_name', { name: agent.name }) : t('agents.new_agent')}
      closeWarning={agent && tokenLostWarning(agent.name)}
      onClose={close}
    >
      {(keeping) =>
        agent ? (
          <Configured {...keeping} agent={agent} url={me.server.mcp_url} board={undefined} />
        ) : (
          <CreateForm {...{ me, team_id }} onCreate={finish} />
        )
      }
    </OneTimeDialog>
  )
}

interface CreateFormProps extends Pick<Props, 'me' | 'team_id'> {
  onCreate(agent: Issued): void
}

function CreateForm({ me, team_id, onCreate }: CreateFormProps) {
  const levels = levelsOf(new Set(me.permissions))
  const [draft, setDraft] = useState<Draft>({
    ...{ name: '', scopes: levels[1]!.scopes, project_ids: null },
  })
  const [isNative, setNative] = useState(false)
  const instructions = useInstructions()
  const { mutateAsync } = useOperationMutation('agents.create', {
    onDone(agent) {
      instructions.discardDraft()
      onCreate(agent)
    },
  })
  return (
    <Form
      className="form in-dialog agent-form"
      onSubmit={() => {
        const kindFields = isNative
          ? ({ kind: 'native', instructions: instructions.draftText ?? '' } as const)
          : {}
        return mutateAsync({ team_id, ...agentFields(draft), ...kindFields })
      }}
    >
      <Fields {...{ me, team_id, draft }} onChange={setDraft} />
      <Kind isNative={isNative} onChange={setNative} />
      {isNative && <Instructions draft={instructions} />}
      <FormFooter disabled={!isComplete(draft)}>{t('agents.create_agent')}</FormFooter>
    </Form>
  )
}
