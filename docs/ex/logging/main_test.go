package main

func Example_text() {
	text()
	// Output:
	// level=INFO msg=charging task=ChargeCustomer
	// level=INFO msg="cmdx: task executed" result.task=ChargeCustomer result.type=Task result.index=0 result.state=interrupted result.status=skipped result.reason="nothing to charge" result.metadata.code=free
}

func Example_json() {
	json()
	// Output:
	// {"level":"INFO","msg":"charging","task":"ChargeCustomer"}
	// {"level":"INFO","msg":"cmdx: task executed","result":{"task":"ChargeCustomer","type":"Task","index":0,"state":"interrupted","status":"skipped","reason":"nothing to charge","metadata":{"code":"free"}}}
}
