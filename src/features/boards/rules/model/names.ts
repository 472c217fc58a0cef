import type { Context } from '../../../../kernel/caller.ts'
import { boardActors } from '../../../identity/members/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { type CustomField, fieldsOf } from '../../custom_fields/model/index.ts'
import { type Label, labelsOf } from '../../labels/model/index.ts'
import type { Project } from '../../projects/model/index.ts'
import { type Section, sectionsOf } from '../../sections/model/index.ts'
import { type Webhook, webhooksOf } from '../../webhooks/model/index.ts'

/** What the rules of a board can refer to. */
export interface BoardNames {
  sections: ReadonlyMap<number, Section>
  labels: ReadonlyMap<number, Label>
  /** By field_id. */
  fields: ReadonlyMap<string, CustomField>
  /** By user id or agent UUID, as text. */
  actors: ReadonlyMap<string, ActorRow>
  webhooks: ReadonlyMap<number, Webhook>
}

/** How rules refer to a person or an agent. */
export const actorRef = ({ kind, actor_id, agent_id }: ActorRow): string | number =>
  kind === 'agent' ? agent_id! : actor_id

const keyed = <K, T>(rows: readonly T[], key: (row: T) => K) =>
  new Map(rows.map((row) => [key(row), row]))

export async function namesOf({ tx }: Pick<Context, 'tx'>, project: Project): Promise<BoardNames> {
  return {
    sections: keyed(await sectionsOf(tx, project), ({ section_id }) => section_id),
    labels: keyed(await labelsOf(tx, project), ({ label_id }) => label_id),
    fields: keyed(await fieldsOf(tx, project), ({ field_id }) => field_id),
    actors: keyed(await boardActors({ tx }, project), (actor) => String(actorRef(actor))),
    webhooks: keyed(await webhooksOf(tx, project), ({ webhook_id }) => webhook_id),
  }
}
