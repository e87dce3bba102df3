package main

func Example_listen() {
	listen()
	// Output:
	// the type hears task_executed of ChargeCustomer
	// the runtime hears task_executed of ChargeCustomer with success
}

func Example_logEvents() {
	logEvents()
	// Output:
	// level=INFO msg=task_started task=ChargeCustomer type=Task root=true
	// the type hears task_executed of ChargeCustomer
}
