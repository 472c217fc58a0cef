import { Type as t } from '@sinclair/typebox'
import { AgentId, AgentState } from '../../../agents/agents/model/index.ts'

const receipt = { agent_id: AgentId, name: t.String(), state: AgentState }
export const StateReceipt = t.Object(receipt)
export const RevokeReceipt = t.Object({
  ...receipt,
  revoked: t.Integer({ description: 'Number of tokens revoked' }),
})

export const DeletedAgent = t.Object({
  agent_id: AgentId,
  name: t.String(),
  state: t.Literal('deleted'),
  unassigned_tasks: t.Integer({ description: 'Number of open tasks it was assigned to' }),
})
