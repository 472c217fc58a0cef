import { type FieldTable, lost, unneeded } from '../../fields.ts'

const id = unneeded('Technical id')

const csv: FieldTable = {
  ID: 'task key; its beginning is the board key',
  Team: 'board title',
  Title: 'task title',
  Description: 'description',
  Status: 'column; cancelled issues are archived',
  Estimate: 'custom field Estimate',
  Priority: 'priority',
  'Project ID': id,
  Project: 'custom field Project',
  Creator: 'task author',
  Assignee: 'assignee',
  Labels: 'labels',
  'Cycle Number': 'custom field Cycle, if it has no name',
  'Cycle Name': 'custom field Cycle',
  'Cycle Start': 'custom field Cycle Start',
  'Cycle End': 'custom field Cycle End',
  Created: 'creation time',
  Updated: 'time of the last change',
  Started: 'custom field Started',
  Triaged: 'custom field Triaged',
  Completed: 'completion time',
  Canceled: 'archived',
  Archived: 'archived',
  'Due Date': 'due date',
  'Parent issue': 'parent task, or custom field Parent issue if it is not on the same board',
  Initiatives: 'custom field Initiatives',
  Roadmaps: 'custom field Roadmaps',
  'Project Milestone ID': id,
  'Project Milestone': 'custom field Project Milestone',
  Milestone: 'custom field Milestone',
  'SLA Status': 'custom field SLA Status',
  UUID: id,
  'Time in status (minutes)': 'custom field of the same name',
  'Related to': 'relations',
  'Blocked by': 'relations (blocks)',
  Blocks: 'relations (blocks)',
  'Duplicate of': 'relations, and custom field Duplicate of',
  'Other columns': 'custom fields of the same name',
}

export const linearFields: FieldTable = { ...csv }
void lost
