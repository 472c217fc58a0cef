export interface Board {
  project_id: number
  key: string
  tasks: number
  sections: number[]
  labels: number[]
}

/** What a filled data folder holds. */
export interface Facts {
  api_key: string
  team_id: number
  owner_id: number
  people: number[]
  boards: Board[]
}

export interface Filled extends Facts {
  folder: string
}
