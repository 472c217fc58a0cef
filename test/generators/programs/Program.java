package org.openapitools.client;

import org.openapitools.client.api.TasksApi;

public class Program {
  public static void main(String[] args) throws Exception {
    TasksApi tasks = new TasksApi(Connect.to(args[0], args[1]));
    System.out.println(tasks.tasksGet(args[2], null, null).getData().getTitle());
  }
}
